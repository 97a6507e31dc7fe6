import { useEffect, useState } from 'react'

/** How wide the element is, in px; a usual width until it is there and laid out. */
export function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(1400)
  useEffect(() => {
    if (element === null) return undefined
    const measure = (): void => {
      if (element.clientWidth > 0) setWidth(element.clientWidth)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return width
}
