/** ln Γ(x) for x > 0: Lanczos' approximation, good to about 15 digits. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const z = x - 1
  let sum = lanczos[0] as number
  for (let index = 1; index < lanczos.length; index++) sum += (lanczos[index] as number) / (z + index)
  const t = z + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum)
}

const lanczos = [
  0.999_999_999_999_809_9, 676.520_368_121_885_1, -1_259.139_216_722_402_8, 771.323_428_777_653_1,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_572e-6,
  1.505_632_735_149_311_6e-7,
]

export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b)
}

/** The density of Beta(a, b) at x. */
export function betaDensity(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return 0
  return Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - logBeta(a, b))
}

/** How probable it is that Beta(a, b) is at most x: the regularised incomplete beta function, as a continued fraction. */
export function betaUpTo(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b))
  // The fraction converges quickly on this side of the mean only.
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b
}

const tiny = 1e-300
const exact = 1e-15
const mostSteps = 10_000

/** Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  const apart = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / apart(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m <= mostSteps; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / apart(1 + even * d)
    c = apart(1 + even / c)
    result *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / apart(1 + odd * d)
    c = apart(1 + odd / c)
    const step = d * c
    result *= step
    if (Math.abs(step - 1) < exact) break
  }
  return result
}
