let hadFocus = false
document.addEventListener('focusin', () => {
  hadFocus = true
})

/** Whether what had the focus is gone. A page that was just loaded has lost nothing. */
export function isFocusLost(): boolean {
  return hadFocus && (document.activeElement === null || document.activeElement === document.body)
}
