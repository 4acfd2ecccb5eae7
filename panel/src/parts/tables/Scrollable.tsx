import { type ReactNode, useEffect, useRef, useState } from 'react'
import classes from './Scrollable.module.css'

/** Scrolls sideways where it is too wide, by keyboard too: then, and only then, it can be focused. */
export function Scrollable({ label, children }: { label: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const [isTooWide, setIsTooWide] = useState(false)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const look = () => setIsTooWide(element.scrollWidth > element.clientWidth + 1)
    const observer = new ResizeObserver(look)
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={box} className={classes.box} {...(isTooWide && { tabIndex: 0, role: 'region', 'aria-label': label })}>
      {children}
    </div>
  )
}
