import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useApp } from '../../../api/use-app.ts'
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

/** Whether an image can be loaded. The browser tries it, never the service. */
export function useImageReach(url: string): ImageReach {
  return useTriedImage(url).reach
}

export function useTriedImage(url: string): TriedImage {
  const { isDevelopment } = useApp()
  const text = url.trim()
  const [settled] = useDebouncedValue(text, typingMs)
  const address = readImageAddress(text, isDevelopment)
  const isAddress = address !== 'none'
  const tried = useQuery({
    queryKey: ['image', settled],
    queryFn: ({ signal }) => loadImage(settled, signal),
    enabled: isAddress && settled === text,
    staleTime: 60_000,
    retry: false,
  })
  const isTried = settled === text && !tried.isPending
  const size = isAddress && isTried ? tried.data : undefined
  return { reach: readReach(address, isTried, tried.isError), address, size }
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
