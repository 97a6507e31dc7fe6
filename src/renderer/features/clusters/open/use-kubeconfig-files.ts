import { useCallback } from 'react'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'

/** No kubeconfig is larger: it could not be read by eye. */
const largestFile = 1024 * 1024
const words = text.clusters.open

/** Returns a function that reads files as kubeconfigs and adds them to the list. */
export function useKubeconfigFiles(): (files: readonly File[]) => Promise<void> {
  const read = useAppState((state) => state.readKubeconfig)
  const addToast = useAppState((state) => state.addToast)
  return useCallback(
    async (files) => {
      for (const file of files) {
        if (file.size > largestFile) {
          addToast(words.tooLarge(file.name))
          continue
        }
        const content = await file.text().catch(() => null)
        if (content === null) addToast(words.unreadable(file.name))
        else await read({ kind: 'text', name: file.name, text: content })
      }
    },
    [read, addToast],
  )
}
