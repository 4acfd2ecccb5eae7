/** A trend in the height of a line of text. Its numbers stand beside it. */
export function Sparkline({
  values,
  width = 96,
  height = 24,
}: {
  values: readonly number[]
  width?: number
  height?: number
}) {
  const top = Math.max(1, ...values)
  const step = width / Math.max(1, values.length - 1)
  const points = values.map((value, index) => `${index * step},${height - 2 - (value / top) * (height - 4)}`).join(' ')
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <polyline points={points} fill="none" stroke="var(--peyk-series-1)" strokeWidth={1.6} strokeLinejoin="round" />
    </svg>
  )
}
