import { useEffect, useState } from 'react'

interface Size {
  readonly width: number
  readonly height: number
}

const unknown: Size = { width: 0, height: 0 }

/** The inner size of the element in px; zeros before its layout. */
export function useSize(element: HTMLElement | null): Size {
  const [size, setSize] = useState(unknown)
  useEffect(() => {
    if (element === null) return undefined
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = element
      if (width > 0)
        setSize((before) =>
          before.width === width && before.height === height ? before : { width, height },
        )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return size
}

/** The width of the element in px; 1400 before its layout. */
export function useWidth(element: HTMLElement | null): number {
  const { width } = useSize(element)
  return width === 0 ? 1400 : width
}
