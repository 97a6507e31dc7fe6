import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Page } from 'playwright/test'
import { expect } from 'playwright/test'

/** Drops a file on the page. */
export async function dropFile(page: Page, path: string, name = basename(path)): Promise<void> {
  const content = readFileSync(path).toString('base64')
  // The page's own types are not those of this file.
  const transfer = await page.evaluateHandle(`(() => {
    const bytes = Uint8Array.from(atob('${content}'), (char) => char.charCodeAt(0))
    const dropped = new DataTransfer()
    dropped.items.add(new File([bytes], ${JSON.stringify(name)}))
    return dropped
  })()`)
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer })
  const zone = page.getByText(
    'Drop to open as a scenario or a kubeconfig, or to read as a kubelet log',
  )
  await expect(zone).toBeVisible()
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
  await expect(zone).toHaveCount(0)
}
