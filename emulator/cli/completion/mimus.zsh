#compdef mimus
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# Completion of mimus in zsh. In ~/.zshrc, after compinit:
#   source <(mimus completion zsh)

_mimus() {
  local -a candidates suffix
  local candidate summary paths=''
  while IFS=$'\t' read -r candidate summary; do
    case $candidate in
      :goes-on) suffix=(-S '') ;;
      :files | :folders) paths=$candidate ;;
      *) candidates+=("${candidate//:/\\:}:$summary") ;;
    esac
  done < <("${words[1]}" completion candidates -- "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)
  if (( ${#candidates} )); then
    _describe -V mimus candidates "${suffix[@]}"
  elif [[ $paths == :folders ]]; then
    _files -/
  elif [[ -n $paths ]]; then
    _files
  fi
}

if [[ ${funcstack[1]} == _mimus ]]; then
  _mimus "$@"
else
  compdef _mimus mimus
fi
