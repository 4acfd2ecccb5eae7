import { useReducedMotion } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useFormat } from '../../texts/LanguageProvider.tsx'

const durationMs = 180

/** A number that moves to its new value when it changes. The first value is there at once. */
export function CountUp({ value, format }: { value: number; format?: (value: number) => string }) {
  const { number } = useFormat()
  const isStill = useReducedMotion()
  const [shown, setShown] = useState(value)
  const last = useRef(value)
  useEffect(() => {
    const from = last.current
    if (isStill || from === value) {
      last.current = value
      setShown(value)
      return
    }
    const start = performance.now()
    let frame = requestAnimationFrame(function move(at) {
      const done = Math.min(1, Math.max(0, at - start) / durationMs)
      const eased = 1 - (1 - done) ** 3
      last.current = done === 1 ? value : Math.round(from + (value - from) * eased)
      setShown(last.current)
      if (done < 1) frame = requestAnimationFrame(move)
    })
    return () => cancelAnimationFrame(frame)
  }, [value, isStill])
  return (format ?? number)(shown)
}
