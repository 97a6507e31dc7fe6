import type { ReactNode, Ref } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { FilterField } from '../../ui/FilterField.tsx'

/** The filter over the table. Leaving it gives the focus back to the table. */
export function PodFilter({
  ref,
  shown,
  total,
  onLeave,
}: {
  readonly ref: Ref<HTMLInputElement>
  readonly shown: number
  readonly total: number
  readonly onLeave: () => void
}): ReactNode {
  const text = useAppState((state) => state.filterText)
  const setText = useAppState((state) => state.setFilterText)
  return (
    <FilterField
      ref={ref}
      label="Filter pods"
      placeholder="name, status, worker, source or either UID; node:name; !word hides"
      text={text}
      shown={shown}
      total={total}
      onChange={setText}
      onLeave={onLeave}
    />
  )
}
