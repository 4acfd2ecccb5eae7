let hadFocus = false
document.addEventListener('focusin', expectFocus)

/** Whoever goes on by keyboard is taken to the heading of the next page, also when nothing had the focus yet. */
export function expectFocus(): void {
  hadFocus = true
}

/** Whether what had the focus is gone. A page that was just loaded has lost nothing. */
export function isFocusLost(): boolean {
  return hadFocus && (document.activeElement === null || document.activeElement === document.body)
}
