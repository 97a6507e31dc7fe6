import { useEffect, useState } from 'react'
import { useStore } from '../../store/store-context.ts'

/** The system clock in ms, read once a second; for what is away in real time. */
export function useWallSeconds(): number {
  const { wallClock } = useStore()
  const [now, setNow] = useState(wallClock)
  useEffect(() => {
    const timer = setInterval(() => setNow(wallClock()), 1000)
    return () => clearInterval(timer)
  }, [wallClock])
  return now
}
