import { createContext, useContext } from 'react'
import type { Box } from './box.ts'
import type { Layout } from './layout.ts'
import { layoutOf, partBox } from './layout.ts'

const LayoutContext = createContext<Layout>(layoutOf(Infinity))

export const LayoutProvider = LayoutContext.Provider

export function useLayout(): Layout {
  return useContext(LayoutContext)
}

export function usePartBox(part: string): Box {
  return partBox(useLayout(), part)
}
