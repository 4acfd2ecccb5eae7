import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useApp } from '#api/use-app.ts'
import { type ImageAddress, readImageAddress } from './image-address.ts'

/** 'none': there is no address of an image. 'not-https': no phone loads it, whether this browser does or not. */
export type ImageReach = 'none' | 'checking' | 'ok' | 'not-https' | 'unreachable'

export interface TriedImage {
  reach: ImageReach
  address: ImageAddress
  /** Pixels, when the browser has loaded it. */
  size: { width: number; height: number } | undefined
}

const typingMs = 400
const patienceMs = 15_000

export function useTriedImage(url: string): TriedImage {
  return useTriedImages([url])[0] as TriedImage
}

/** Whether images can be loaded. The browser tries it, never the service. */
export function useTriedImages(urls: readonly string[]): TriedImage[] {
  const { isDevelopment } = useApp()
  const texts = [...new Set(urls.map((url) => url.trim()))]
  const joined = texts.join('\n')
  const [settled] = useDebouncedValue(joined, typingMs)
  const isSettled = settled === joined
  const addresses = texts.map((text) => readImageAddress(text, isDevelopment))
  const tries = useQueries({
    queries: texts.map((text, index) => ({
      queryKey: ['image', text],
      queryFn: ({ signal }: { signal: AbortSignal }) => loadImage(text, signal),
      enabled: addresses[index] !== 'none' && isSettled,
      staleTime: 60_000,
      retry: false,
    })),
  })
  return urls.map((url) => {
    const place = texts.indexOf(url.trim())
    const address = addresses[place] as ImageAddress
    const { isPending = true, isError = false, data } = tries[place] ?? {}
    const isTried = isSettled && !isPending
    const size = address !== 'none' && isTried ? data : undefined
    return { reach: readReach(address, isTried, isError), address, size }
  })
}

function readReach(address: ImageAddress, isTried: boolean, isBroken: boolean): ImageReach {
  if (address === 'none') return 'none'
  if (address === 'http' || address === 'own-http') return 'not-https'
  if (!isTried) return 'checking'
  return isBroken ? 'unreachable' : 'ok'
}

function loadImage(url: string, signal: AbortSignal): Promise<{ width: number; height: number }> {
  return new Promise((resolve, reject) => {
    const image = new Image()
    const giveUp = () => reject(new Error('the image was not loaded'))
    image.referrerPolicy = 'no-referrer'
    image.onload = () => resolve({ width: image.naturalWidth, height: image.naturalHeight })
    image.onerror = giveUp
    AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]).onabort = giveUp
    image.src = url
  })
}
