import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { filesToSend } from './files-to-send.ts'
import styles from './KubeletLogView.module.css'

const words = text.log.drop

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true
}

/** The whole window takes files that are dropped; while they are over it, it says what a drop does. */
export function LogDrop(): ReactNode {
  const { state } = useStore()
  const [isOver, setOver] = useState(false)
  const depth = useRef(0)
  useEffect(() => {
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      depth.current++
      setOver(true)
    }
    const leave = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      depth.current = Math.max(0, depth.current - 1)
      if (depth.current === 0) setOver(false)
    }
    const over = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      depth.current = 0
      setOver(false)
      const files = filesToSend(event.dataTransfer?.files)
      if (files.length > 0) void state.getState().uploadLog(files)
    }
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragleave', leave)
    window.addEventListener('dragover', over)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('dragover', over)
      window.removeEventListener('drop', drop)
    }
  }, [state])
  if (!isOver) return null
  return (
    <output className={styles['drop']}>
      <b>{words.title}</b>
      <span>{words.hint}</span>
    </output>
  )
}
