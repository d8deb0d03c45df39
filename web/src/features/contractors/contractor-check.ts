import type { ContractorWire } from '@zakup/contracts/wire-entities';

/** What is wrong with a contractor's data; warnings only, empty when all is well. */
export const contractorWarnings = (contractor: Partial<ContractorWire>): readonly string[] => {
  const negative = (sum: number | undefined): boolean => sum === undefined || !(sum >= 0);
  const checks: readonly (readonly [boolean, string])[] = [
    [!contractor.id, 'нет идентификатора'],
    [!contractor.adminUsername, 'нет ника'],
    [negative(contractor.totalSpent), 'сумма меньше нуля'],
    [negative(contractor.totalLeads), 'лидов меньше нуля'],
    [negative(contractor.totalPlacements), 'размещений меньше нуля'],
  ];
  return checks.filter(([wrong]) => wrong).map(([, text]) => text);
};
