import { type ReactNode, useEffect, useState } from 'react'

interface PictureProps {
  src: string | undefined
  className: string | undefined
  /** Where there is no picture, or it cannot be loaded. */
  instead?: ReactNode
}

/** A picture of a notification. It says nothing that the texts do not say. */
export function Picture({ src, className, instead = null }: PictureProps) {
  const [isBroken, setIsBroken] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another picture gets another chance
  useEffect(() => setIsBroken(false), [src])
  if (src === undefined || isBroken) return instead
  return <img src={src} alt="" className={className} referrerPolicy="no-referrer" onError={() => setIsBroken(true)} />
}
