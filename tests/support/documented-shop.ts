/** The small shop that the documentation uses, and the files that its commands name. */
export const DOCUMENTED_SHOP: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "shop", "private": true, "type": "module" }\n',
  "src/tax/table.ts": `import type { TaxRate } from "./lookup.ts";

/** Reads the rates of all regions once. */
export function readTable(): Map<string, TaxRate> {
  return new Map([["DE", { rate: 0.19 }]]);
}
`,
  "src/tax/lookup.ts": `import { readTable } from "./table.ts";

export interface TaxRate {
  rate: number;
}

/** Tax rate of a region; undefined where the region is unknown. */
export function rateFor(region: string): TaxRate | undefined {
  const table = readTable();
  return table.get(region);
}

/** Tax on an amount in a region. */
export function taxOn(amount: number, region: string): number {
  return amount * (rateFor(region)?.rate ?? 0);
}
`,
  "src/checkout/total.ts": `import { taxOn } from "../tax/lookup.ts";

export interface Cart {
  items: { price: number; count: number }[];
  region: string;
}

/** What the customer pays: all items, and the tax on them. */
export function computeTotal(cart: Cart): number {
  let total = 0;
  for (const { price, count } of cart.items) {
    if (count < 0) throw new RangeError("negative count of items");
    total += price * count;
  }
  return total + taxOn(total, cart.region);
}
`,
  "src/checkout/receipt.ts": `import { type Cart, computeTotal } from "./total.ts";

/** The receipt of a cart. */
export function printReceipt(cart: Cart): string {
  return \`total: \${computeTotal(cart)}\`;
}
`,
  "src/cart.ts": `import type { Cart } from "./checkout/total.ts";

/** Empties the cart, as after a login of another customer. */
export function emptyCart(cart: Cart): void {
  cart.items = [];
}
`,
  "tests/tax/lookup.test.ts": `import { expect, it } from "vitest";
import { rateFor } from "../../src/tax/lookup.ts";

it("knows the rates", () => {
  expect(rateFor("DE")?.rate).toBe(0.19);
});
`,
  // Applies only if the repository is trusted.
  "config/auto-tools.yaml": "budget: { wall_ms: 9000 }\n",
  ".gitignore": ".codex-father/\n",
  "docs/task.md": "Review the tax table.\n",
  "list.txt": "docs/task.md\n",
  "changes.diff": "-  rate: 0.16\n+  rate: 0.19\n",
};
