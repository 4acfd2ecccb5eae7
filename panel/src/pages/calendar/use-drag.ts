import { type PointerEvent, useEffect, useRef, useState } from 'react'
import type { PlannedItem } from './days/day-content.ts'
import { type Day, minutesOf } from './days/days.ts'

/** Where what is dragged would stand. */
export interface DropPlace {
  day: Day
  minutes: number
}

export interface Drag {
  item: PlannedItem | undefined
  place: DropPlace | undefined
  handle(item: PlannedItem): { onPointerDown(event: PointerEvent<HTMLElement>): void }
}

const startsAfterPx = 6
const holdMs = 350
const stepMinutes = 30
const dayMinutes = 24 * 60
const edgePx = 40

/**
 * Dragging with a mouse or a pen, and with a finger that has rested first: one that moves at once scrolls. Days are elements with `data-day`; one with `data-hours` is as high as
 * its 24 hours, and takes the time, too. Escape leaves everything as it was.
 */
export function useDrag(
  onDrop: (item: PlannedItem, place: DropPlace) => void,
  sayClock: (place: DropPlace) => string,
): Drag {
  const [item, setItem] = useState<PlannedItem>()
  const [place, setPlace] = useState<DropPlace>()
  const stop = useRef<() => void>(undefined)
  const isByFinger = useRef(false)
  useEffect(() => {
    // It has to be there before the finger is: one that drags does not scroll.
    const keepStill = (event: TouchEvent) => {
      if (isByFinger.current && event.cancelable) event.preventDefault()
    }
    addEventListener('touchmove', keepStill, { passive: false })
    return () => {
      removeEventListener('touchmove', keepStill)
      stop.current?.()
    }
  }, [])

  const start = (event: PointerEvent<HTMLElement>, dragged: PlannedItem) => {
    if (event.button !== 0) return
    const { clientX, clientY, currentTarget } = event
    const grabbedAt = clientY - currentTarget.getBoundingClientRect().top
    const ghost = createGhost(currentTarget, clientX, clientY)
    let found: DropPlace | undefined
    let isGrabbed = event.pointerType !== 'touch'
    const grab = () => {
      isGrabbed = true
      isByFinger.current = true
      setItem(dragged)
      ghost.moveTo(clientX, clientY)
    }
    const holding = isGrabbed ? undefined : setTimeout(grab, holdMs)
    const follow = (moved: globalThis.PointerEvent) => {
      const distance = Math.hypot(moved.clientX - clientX, moved.clientY - clientY)
      if (!ghost.isShown && distance < startsAfterPx) return
      if (!isGrabbed) return cancel()
      moved.preventDefault()
      if (!ghost.isShown) setItem(dragged)
      ghost.moveTo(moved.clientX, moved.clientY)
      scrollAtEdge(moved)
      const next = placeAt(moved, grabbedAt, minutesOf(dragged.at))
      if (next?.day === found?.day && next?.minutes === found?.minutes) return
      found = next
      if (next) ghost.showClock(sayClock(next))
      setPlace(next)
    }
    const end = (isDropped: boolean) => {
      clearTimeout(holding)
      isByFinger.current = false
      removeEventListener('pointermove', follow)
      removeEventListener('pointerup', release)
      removeEventListener('pointercancel', cancel)
      removeEventListener('keydown', cancelByKey, true)
      removeEventListener('contextmenu', refuseMenu)
      stop.current = undefined
      if (ghost.isShown) swallowClick()
      ghost.remove()
      setItem(undefined)
      setPlace(undefined)
      if (isDropped && ghost.isShown && found) onDrop(dragged, found)
    }
    const release = () => end(true)
    const cancel = () => end(false)
    // Browsers open their own menu for a finger that rests.
    const refuseMenu = (menu: Event) => {
      if (ghost.isShown) menu.preventDefault()
    }
    const cancelByKey = (key: KeyboardEvent) => {
      if (key.key === 'Escape') cancel()
    }
    stop.current = cancel
    addEventListener('pointermove', follow)
    addEventListener('pointerup', release)
    addEventListener('pointercancel', cancel)
    addEventListener('keydown', cancelByKey, true)
    addEventListener('contextmenu', refuseMenu)
  }
  return { item, place, handle: (of) => ({ onPointerDown: (event) => start(event, of) }) }
}

/** A copy that goes with the pointer as soon as that has moved. */
function createGhost(original: HTMLElement, fromX: number, fromY: number) {
  const { left, top, width, height } = original.getBoundingClientRect()
  const copy = original.cloneNode(true) as HTMLElement
  copy.removeAttribute('id')
  copy.setAttribute('aria-hidden', 'true')
  copy.dataset.ghost = 'true'
  Object.assign(copy.style, {
    ...{ position: 'fixed', left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` },
  })
  return {
    isShown: false,
    moveTo(x: number, y: number): void {
      if (!this.isShown) document.body.append(copy)
      this.isShown = true
      copy.style.transform = `translate(${x - fromX}px, ${y - fromY}px)`
    },
    /** What its time would be. */
    showClock(text: string): void {
      const clock = copy.querySelector('time')
      if (clock) clock.textContent = text
    },
    remove: () => copy.remove(),
  }
}

function placeAt({ clientX, clientY }: globalThis.PointerEvent, grabbedAt: number, own: number): DropPlace | undefined {
  const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-day]')
  const day = under?.dataset.day
  if (!under || day === undefined) return undefined
  if (under.dataset.hours === undefined) return { day, minutes: own }
  const { top, height } = under.getBoundingClientRect()
  const minutes = Math.round((((clientY - grabbedAt - top) / height) * dayMinutes) / stepMinutes) * stepMinutes
  return { day, minutes: Math.min(Math.max(minutes, 0), dayMinutes - stepMinutes) }
}

/** A part that scrolls by itself goes on while the pointer is at its edge. */
function scrollAtEdge({ clientX, clientY }: globalThis.PointerEvent): void {
  const area = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-scrolls]')
  if (!area) return
  const { top, bottom } = area.getBoundingClientRect()
  if (clientY > bottom - edgePx) area.scrollTop += 12
  else if (clientY < top + 2 * edgePx) area.scrollTop -= 12
}

/** The click that ends a drag opens nothing. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.stopPropagation()
    event.preventDefault()
  }
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }), 0)
}
