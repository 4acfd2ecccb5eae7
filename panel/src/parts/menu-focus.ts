import type { MouseEvent } from 'react'

/**
 * Whatever a menu's item opens returns the focus to where it was, and the item is gone by then: the focus is on the menu's
 * button before anything is opened.
 */
export function focusMenuButton({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  if (!(target as Element).closest('[data-menu-item]')) return
  document.getElementById(currentTarget.getAttribute('aria-labelledby') ?? '')?.focus({ preventScroll: true })
}
