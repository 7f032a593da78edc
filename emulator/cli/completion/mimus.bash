# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Completion of mimus in bash. In ~/.bashrc:
#   source <(mimus completion bash)

_mimus() {
  local line=${COMP_LINE:0:COMP_POINT}
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  local word=${words[-1]}

  # Bash splits words at = and replaces only what follows the last one.
  local kept=''
  [[ $word == *=* && $COMP_WORDBREAKS == *=* ]] && kept=${word%"${word##*=}"}

  COMPREPLY=()
  local candidate path
  while IFS=$'\t' read -r candidate _; do
    case $candidate in
      :goes-on) compopt -o nospace 2>/dev/null ;;
      :files | :folders)
        compopt -o filenames 2>/dev/null
        while IFS= read -r path; do COMPREPLY+=("$path"); done < <(
          if [[ $candidate == :folders ]]; then compgen -d -- "$word"; else compgen -f -- "$word"; fi
        )
        ;;
      *) COMPREPLY+=("${candidate#"$kept"}") ;;
    esac
  done < <("${words[0]}" completion candidates -- "${words[@]:1}" 2>/dev/null)
}

complete -F _mimus mimus
