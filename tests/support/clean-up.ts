// Run with every test file, because files that share a process load other modules only once.
import { afterAll } from "vitest";
import { removeFolders } from "./temp-folder.ts";

afterAll(removeFolders);
