export const devices = (count: number, shown: string) => (count === 1 ? 'one device' : `${shown} devices`)
export const users = (count: number, shown: string) => (count === 1 ? 'one user' : `${shown} users`)
