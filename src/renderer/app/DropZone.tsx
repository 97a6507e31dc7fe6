import type { ReactNode } from 'react'
import { useEffect, useEffectEvent, useState } from 'react'
import { maxKubeconfigLength } from '../../shared/ipc/limits.ts'
import { useKubeconfigFiles } from '../features/clusters/open/use-kubeconfig-files.ts'
import { fileKind, takeFile } from '../features/scenarios/scenario-files.ts'
import { useAppState, useStore } from '../store/store-context.ts'
import { text } from '../text/text.ts'
import { Icon } from '../ui/Icon.tsx'
import styles from './DropZone.module.css'

const words = text.clusters.open

/** What takes dropped files: the first handler that wants a file gets it. */
interface DropHandler {
  readonly wants: (file: File) => boolean | Promise<boolean>
  readonly take: (files: readonly File[]) => void
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}

async function dispatch(files: readonly File[], handlers: readonly DropHandler[]): Promise<void> {
  let left = files
  for (const { wants, take } of handlers) {
    const isWanted = await Promise.all(left.map(async (file) => wants(file)))
    const wanted = left.filter((_, index) => isWanted[index])
    left = left.filter((_, index) => isWanted[index] !== true)
    if (wanted.length > 0) take(wanted)
  }
}

function useDroppedFiles(handlers: readonly DropHandler[]): boolean {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent((files: readonly File[]) => void dispatch(files, handlers))
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent): void => {
      // The pointer has left the window, not only an element.
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      setOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      take([...(event.dataTransfer?.files ?? [])])
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}

/** No log is that small and named like one. */
function isKubeconfig({ name, size }: File): boolean {
  return size <= maxKubeconfigLength && /\.(ya?ml|conf|kubeconfig)$|config/i.test(name)
}

/**
 * The whole window takes dropped files, in every view: scenarios and states by their beginning, kubeconfigs by their names, and
 * everything else as kubelet logs.
 */
export function DropZone(): ReactNode {
  const read = useKubeconfigFiles()
  const show = useAppState((state) => state.show)
  const uploadLog = useAppState((state) => state.uploadLog)
  const { state } = useStore()
  const takeScenarios = async (files: readonly File[]): Promise<void> => {
    state.getState().askScenario({ kind: 'openScenario' })
    for (const file of files) {
      const kind = await fileKind(file)
      if (kind !== undefined) await takeFile(file, state.getState(), kind)
    }
  }
  const isOver = useDroppedFiles([
    {
      wants: async (file) => (await fileKind(file)) !== undefined,
      take: (files) => {
        void takeScenarios(files)
      },
    },
    {
      wants: isKubeconfig,
      take: (files) => {
        show('clusters')
        void read(files)
      },
    },
    {
      wants: () => true,
      take: (files) => {
        void uploadLog(files)
      },
    },
  ])
  return isOver ? (
    <output className={styles['zone']}>
      <Icon name="drop" />
      <b>{words.dropHere}</b>
      <p>{words.dropRule}</p>
    </output>
  ) : null
}
