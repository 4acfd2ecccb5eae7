import { useRef, useState } from 'react'
import { typedInto } from './typed-into.ts'

/**
 * A searchable select that is searched from an empty word: what is chosen stands there as a placeholder while the list is
 * open. `shown` is the label of what is chosen.
 */
export function useFreshSearch(shown: string, placeholder = shown) {
  // Undefined while the list is closed.
  const [typed, setTyped] = useState<string>()
  // The select closes its list and reports its label within one event, before anything is drawn.
  const isOpen = useRef(false)
  return {
    typed: typed?.trim() ?? '',
    props: {
      searchable: true,
      selectFirstOptionOnChange: typed !== undefined && typed !== '',
      searchValue: typed ?? shown,
      placeholder: shown || placeholder,
      onSearchChange: (text: string) => {
        const word = isOpen.current ? text : typedInto(shown, text)
        if (isOpen.current || word !== '') setTyped(word)
      },
      onDropdownOpen: () => {
        isOpen.current = true
        setTyped((before) => before ?? '')
      },
      onDropdownClose: () => {
        isOpen.current = false
        setTyped(undefined)
      },
    },
  }
}
