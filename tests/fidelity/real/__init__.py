# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Real PyTorch training jobs, alone and in pairs, with which synthetic jobs are compared."""
