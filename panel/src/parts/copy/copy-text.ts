/** Whether the text is on the clipboard now. Over plain http there is no `navigator.clipboard`: a selection is copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text)
  }
}

function copySelection(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.style.cssText = 'position: fixed; inset-block-start: 0; opacity: 0'
  // Beside what has the focus: a dialog lets it go nowhere else.
  const place = focused?.parentElement ?? document.body
  place.append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    area.remove()
    focused?.focus({ preventScroll: true })
  }
}

const levelsUp = 5

/** Selects the text where it stands near an element, for the keyboard to copy. False: it stands nowhere near. */
export function selectNear(element: Element, text: string): boolean {
  let around = element.parentElement
  for (let level = 0; around && level < levelsUp; level++, around = around.parentElement) {
    for (const field of around.querySelectorAll<HTMLInputElement>('input, textarea')) {
      if (field.value !== text) continue
      field.focus({ preventScroll: true })
      field.select()
      return true
    }
    for (const found of around.querySelectorAll('*')) {
      if (found.textContent?.trim() !== text.trim()) continue
      document.getSelection()?.selectAllChildren(found)
      return true
    }
  }
  return false
}
