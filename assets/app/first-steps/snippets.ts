// Snippets to paste. Each is run by hand against a server before it changes; the tests check that it is well-formed
// and contains the address and the key.

import type { Sdk } from "./sdks.ts";

/** Replaces a key that this tab does not have. */
export const placeholder = "pk_…";

/** The release that the snippets name, for people to replace. */
export const releaseOfSnippets = "1.0.0";

export type Language = "html" | "javascript" | "python" | "go" | "shell";

export interface Place {
  /** `https://mayday.example`, without a slash at its end. */
  origin: string;
  key: string;
}

export interface Written {
  language: Language;
  /** Where to paste it. */
  where: string;
  text: string;
  /** What else to paste, and why. */
  also?: { where: string; language: Language; text: string };
  /** Makes something throw, and where to do that. */
  tryIt?: { where: string; language: Language; text: string };
}

/** Makes a page throw. */
const inConsole = {
  where: "Then open a page and throw an error in the browser's console:",
  language: "javascript",
  text: 'setTimeout(() => { throw new Error("My first error"); });',
} as const;

const tag = ({ origin, key }: Place): string => `<script src="${origin}/client.js"
  data-key="${key}"
  data-release="${releaseOfSnippets}" crossorigin async></script>`;

const about = "Set `data-release` to the version you deploy.";

const script = (place: Place): Written => ({
  language: "html",
  where: `Put it first in the \`<head>\` of every page: errors thrown before it has loaded are missed. ${about} Pages then have the global \`mayday\`, with a logger and more.`,
  text: tag(place),
  tryIt: inConsole,
});

const inIndex = `Put it first in the \`<head>\` of \`index.html\`. ${about}`;

const react = (place: Place): Written => ({
  language: "html",
  where: inIndex,
  text: tag(place),
  also: {
    where:
      "Errors that an error boundary catches do not reach the window. React 19 tells of them where the root is created:",
    language: "javascript",
    text: `createRoot(document.getElementById("root"), {
  onCaughtError(error) {
    console.error(error);
    window.mayday?.captureException(error);
  },
}).render(<App />);
`,
  },
  tryIt: inConsole,
});

const vue = (place: Place): Written => ({
  language: "html",
  where: inIndex,
  text: tag(place),
  also: {
    where:
      "Vue catches what components throw, and in production only logs it. Report it where the app is created, before `mount`:",
    language: "javascript",
    text: `app.config.errorHandler = (error) => {
  console.error(error);
  window.mayday?.captureException(error);
};
`,
  },
  tryIt: inConsole,
});

const svelte = (place: Place): Written => ({
  language: "html",
  where: `Put it first in the \`<head>\` of \`src/app.html\`; without SvelteKit, of \`index.html\`. ${about} For errors on the server, see the Node.js tab.`,
  text: tag(place),
  also: {
    where:
      "Errors that SvelteKit catches while it loads or shows a page do not reach the window. Report them in `src/hooks.client.js`:",
    language: "javascript",
    text: `export function handleError({ error, status }) {
  if (status === 404) return;
  console.error(error);
  window.mayday?.captureException(error);
}
`,
  },
  tryIt: inConsole,
});

const nextjs = ({ origin, key }: Place): Written => ({
  language: "html",
  where: `Put it into the \`<head>\` of \`app/layout\`. ${about} For errors on the server, see the Node.js tab.`,
  text: `<script
  src="${origin}/client.js"
  data-key="${key}"
  data-release="${releaseOfSnippets}"
  crossOrigin="anonymous"
  async
/>`,
  also: {
    where:
      "Errors that Next.js catches in a page do not reach the window. Report them in `app/error.jsx`, and in the same way in `app/global-error.jsx`:",
    language: "javascript",
    text: `"use client";
import { useEffect } from "react";

export default function ErrorPage({ error }) {
  useEffect(() => {
    window.mayday?.captureException(error);
  }, [error]);
  return <p>Something went wrong.</p>;
}
`,
  },
  tryIt: inConsole,
});

const node = ({ origin, key }: Place): Written => ({
  language: "javascript",
  where:
    "Save it as `mayday.mjs` and start your program with `node --import ./mayday.mjs` (Node 18.19 or newer). It needs no packages.",
  text: `const address = "${origin}/api/v1/errors";

/** Sends an error; also for those that you catch. */
export async function report(error, type = "caught") {
  const event = {
    api_key: "${key}",
    platform: "node",
    release: "${releaseOfSnippets}",
    environment: process.env.NODE_ENV || "production",
    exception: {
      type: error?.name ?? "Error",
      message: String(error?.message ?? error),
      stack: error?.stack,
      mechanism: { type, handled: type === "caught" },
    },
  };
  await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(event),
    signal: AbortSignal.timeout(3000),
  }).catch((problem) => console.error("Not reported:", problem));
}

// Rejections that nobody handles come here, too. The program ends as it would without this.
process.on("uncaughtException", async (error, origin) => {
  console.error(error);
  await report(error, origin);
  process.exit(1);
});
`,
  tryIt: {
    where: "Then throw an error:",
    language: "shell",
    text: "node --import ./mayday.mjs -e 'null.amount'",
  },
});

const python = ({ origin, key }: Place): Written => ({
  language: "python",
  where:
    "Save it as `mayday.py` and import it at the very start of your program (Python 3.8 or newer). It needs no packages.",
  text: `import json, os, sys, threading, traceback, urllib.request

ADDRESS = "${origin}/api/v1/errors"


def report(error, handled=True):
    """Sends an exception; also for those that you catch."""
    stack = traceback.format_exception(type(error), error, error.__traceback__)
    event = {
        "api_key": "${key}",
        "platform": "python",
        "release": "${releaseOfSnippets}",
        "environment": os.environ.get("ENVIRONMENT", "production"),
        "exception": {
            "type": type(error).__name__,
            "message": str(error),
            "stack": "".join(stack),
            "mechanism": {"type": "excepthook", "handled": handled},
        },
    }
    request = urllib.request.Request(
        ADDRESS, json.dumps(event).encode(), {"Content-Type": "application/json"}
    )
    try:
        urllib.request.urlopen(request, timeout=3).close()
    except OSError as problem:
        print("Not reported:", problem, file=sys.stderr)


def on_exception(kind, error, trace):
    sys.__excepthook__(kind, error, trace)
    if isinstance(error, Exception):  # not Ctrl+C
        report(error, handled=False)


def on_thread_exception(args):
    if args.exc_value is not None:
        on_exception(args.exc_type, args.exc_value, args.exc_traceback)


sys.excepthook = on_exception
threading.excepthook = on_thread_exception
`,
  tryIt: {
    where: "Then raise an exception:",
    language: "shell",
    text: "python3 -c 'import mayday; {}[\"amount\"]'",
  },
});

const go = ({ origin, key }: Place): Written => ({
  language: "go",
  where:
    "Save it as `mayday.go` beside your `main.go` (Go 1.18 or newer), and make `defer ReportPanic()` the first line of `main` and of every goroutine. It needs no modules.",
  text: `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"time"
)

const maydayAddress = "${origin}/api/v1/errors"

// Report sends an error that you handle.
func Report(err error) {
	send(err, "handled")
}

// ReportPanic sends what a goroutine panics with, which then goes on.
func ReportPanic() {
	if cause := recover(); cause != nil {
		send(cause, "panic")
		panic(cause)
	}
}

func send(cause any, how string) {
	environment := os.Getenv("ENVIRONMENT")
	if environment == "" {
		environment = "production"
	}
	// The heading, and what lies below debug.Stack, send and the function that called it.
	stack := strings.SplitN(string(debug.Stack()), "\\n", 8)
	event, _ := json.Marshal(map[string]any{
		"api_key":     "${key}",
		"platform":    "go",
		"release":     "${releaseOfSnippets}",
		"environment": environment,
		"exception": map[string]any{
			"type":      fmt.Sprintf("%T", cause),
			"message":   fmt.Sprint(cause),
			"stack":     stack[0] + "\\n" + stack[len(stack)-1],
			"mechanism": map[string]any{"type": how, "handled": how == "handled"},
		},
	})
	client := http.Client{Timeout: 3 * time.Second}
	answer, problem := client.Post(maydayAddress, "application/json", bytes.NewReader(event))
	if problem != nil {
		log.Println("Not reported:", problem)
		return
	}
	answer.Body.Close()
}
`,
  tryIt: {
    where: "Then let a program panic:",
    language: "go",
    text: `func main() {
	defer ReportPanic()
	var prices []int
	println(prices[3])
}
`,
  },
});

const curl = ({ origin, key }: Place): Written => ({
  language: "shell",
  where:
    "Any language that can send JSON can report errors. Mayday reads stack traces as they are printed by JavaScript, Python, PHP, C#, Java, Kotlin, Ruby, Go, Rust, Swift, Dart, Elixir, Erlang, C, C++, Perl and Lua.",
  text: `curl -sS ${origin}/api/v1/errors -H 'Content-Type: application/json' -d '{
  "api_key": "${key}",
  "release": "${releaseOfSnippets}",
  "exception": {
    "type": "TypeError",
    "message": "items is not iterable",
    "stack": "TypeError: items is not iterable\\n    at total (https://shop.example/assets/cart.js:3:22)\\n    at checkout (https://shop.example/assets/cart.js:9:17)"
  }
}'
`,
});

const all: Record<Sdk, (place: Place) => Written> = { script, react, vue, svelte, nextjs, node, python, go, curl };

export const snippetOf = (sdk: Sdk, place: Place): Written => all[sdk](place);
