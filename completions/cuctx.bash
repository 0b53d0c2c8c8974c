# SPDX-License-Identifier: MIT
# bash completion for cuctx: commands and options from the program's own help, benchmarks from `cuctx list`.

_cuctx_words() {
	"$1" "${@:2}" 2>/dev/null
}

_cuctx_options() {
	_cuctx_words "$@" --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p'
}

_cuctx() {
	local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]:-}
	if ((COMP_CWORD == 1)); then
		mapfile -t COMPREPLY < <(compgen -W "$(_cuctx_words "$program" --help |
			sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p') --help --version" -- "$word")
		return
	fi
	case $before in
	--format)
		mapfile -t COMPREPLY < <(compgen -W "table csv json text markdown html svg png pdf" -- "$word")
		return
		;;
	--fail-on)
		mapfile -t COMPREPLY < <(compgen -W "more any none" -- "$word")
		return
		;;
	--out | --resume | --run)
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
		return
		;;
	--axis)
		mapfile -t COMPREPLY < <(compgen -S = -W "$(_cuctx_words "$program" list |
			sed -n 's/^  --axis \([a-z_]*\)=.*/\1/p' | sort -u)" -- "$word")
		compopt -o nospace
		return
		;;
	esac
	if [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_cuctx_options "$program" "$command")" -- "$word")
	elif [[ $command == run ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_cuctx_words "$program" list | grep -E '^[a-z]')" -- "$word")
	elif [[ $command == compare || $command == inspect || $command == trace ]]; then
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	else
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
	fi
}

complete -F _cuctx cuctx
