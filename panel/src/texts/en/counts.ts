export type Show = (count: number) => string

export const devices = (count: number, shown: string) => (count === 1 ? 'one device' : `${shown} devices`)
export const users = (count: number, shown: string) => (count === 1 ? 'one user' : `${shown} users`)
export const are = (count: number) => (count === 1 ? 'is' : 'are')
export const were = (count: number) => (count === 1 ? 'was' : 'were')
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
