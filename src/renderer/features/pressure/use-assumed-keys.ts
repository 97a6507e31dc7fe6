import type { RefObject } from 'react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { usePageKeys } from '../../ui/use-page-keys.ts'

/** Page keys that a focused slider does not turn off, as it would as a field. `press`: see usePageKeys. */
export function useAssumedKeys(press: (key: string) => boolean): RefObject<HTMLDivElement | null> {
  const body = useRef<HTMLDivElement>(null)
  usePageKeys(({ key }) => press(key))
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || !(target instanceof HTMLInputElement)) return
    if (target.type === 'range' && press(event.key)) event.preventDefault()
  })
  useEffect(() => {
    const element = body.current
    const listener = (event: KeyboardEvent): void => handleKey(event)
    element?.addEventListener('keydown', listener)
    return () => element?.removeEventListener('keydown', listener)
  }, [])
  return body
}
