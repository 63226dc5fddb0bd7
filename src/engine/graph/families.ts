import { FAMILIES, type FamilyId, type FamilyTraits } from "../../base/languages.ts";
import { entryOfLanguage } from "../languages.ts";
import { wordSet } from "../word-set.ts";

/** Traits of a family that are lists of names. */
type Names = "self" | "ownType" | "base" | "passes";

/** Traits of a language family that resolution needs, with defaults for those missing in the table. */
export interface Family extends Omit<FamilyTraits, Names>, Readonly<Record<Names, ReadonlySet<string>>> {
  /** Files of one family can call each other. */
  readonly id: FamilyId;
}

const families = new Map(
  Object.entries(FAMILIES).map(([id, traits]): [string, Family] => [
    id,
    {
      ...traits,
      id: id as FamilyId,
      self: wordSet(traits.self ?? "this"),
      ownType: wordSet(traits.ownType),
      base: wordSet(traits.base ?? "super"),
      passes: wordSet(traits.passes),
    },
  ]),
);

/** The family of a language; undefined for plain text. */
export const familyOf = (language: string): Family | undefined => families.get(entryOfLanguage(language)?.family ?? "");
