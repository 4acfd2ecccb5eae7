import type { CSSProperties, ReactNode } from 'react'

interface TappableProps {
  className: string | undefined
  style?: CSSProperties
  onTap?: (() => void) | undefined
  children: ReactNode
}

/** A button where tapping does something, a mere drawing of one elsewhere. */
export function Tappable({ className, style, onTap, children }: TappableProps) {
  if (onTap === undefined) {
    return (
      <span className={className} style={style}>
        {children}
      </span>
    )
  }
  return (
    <button type="button" className={className} style={style} onClick={onTap}>
      {children}
    </button>
  )
}
