import type { Phone } from '@peyk/contract'
import { useEffect, useState } from 'react'
import { appUrl } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'

/** The virtual phones as they are at this moment; undefined until the first word of them. */
export function usePhones(): { phones: readonly Phone[] | undefined; isCut: boolean } {
  const { appId } = useApp()
  const [phones, setPhones] = useState<readonly Phone[]>()
  const [isCut, setIsCut] = useState(false)
  useEffect(() => {
    const source = new EventSource(appUrl(appId, '/phones/stream'))
    const on = <T>(event: string, take: (data: T) => void) =>
      source.addEventListener(event, (message) => take(JSON.parse((message as MessageEvent<string>).data)))
    on<Phone[]>('phones', (all) => {
      setPhones(all)
      setIsCut(false)
    })
    on<Phone>('phone', (changed) =>
      setPhones((old = []) =>
        old.some(({ id }) => id === changed.id)
          ? old.map((phone) => (phone.id === changed.id ? changed : phone))
          : [...old, changed],
      ),
    )
    on<{ id: string }>('removed', ({ id }) => setPhones((old) => old?.filter((phone) => phone.id !== id)))
    source.onerror = () => setIsCut(true)
    return () => source.close()
  }, [appId])
  return { phones, isCut }
}
