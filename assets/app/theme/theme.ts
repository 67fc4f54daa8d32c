// Every colour, typeface and size of the app. Style sheets use the variables defined here and contain no values of
// their own; `theme.test.ts` checks the contrasts.

import { type CSSVariablesResolver, type MantineColorsTuple, createTheme } from "@mantine/core";

/** Ten steps of the one neutral scale, light to dark. */
const neutral: MantineColorsTuple = [
  "#f7f7f8",
  "#eeeff2",
  "#e2e3e7",
  "#c9ccd4",
  "#a4a8b3",
  "#8a8e99",
  "#5c606b",
  "#3c3f48",
  "#25272d",
  "#17181c",
];
/** Mantine's dark surfaces, text first. */
const dark: MantineColorsTuple = [
  "#ececef",
  "#c4c7d0",
  "#a0a4af",
  "#737782",
  "#3a3d46",
  "#2d2f36",
  "#1f2025",
  "#131417",
  "#0f1012",
  "#0b0c0e",
];
/** The one accent. */
const accent: MantineColorsTuple = [
  "#eef0ff",
  "#dcdffb",
  "#b9bff2",
  "#949ceb",
  "#767fe4",
  "#626cdf",
  "#4f59d6",
  "#434cc0",
  "#3a42ab",
  "#2f3796",
];
const red: MantineColorsTuple = [
  "#fdf0f1",
  "#f9dcdf",
  "#f0b3ba",
  "#e88894",
  "#ff8d99",
  "#d6455a",
  "#b3152b",
  "#a11024",
  "#8f0c1e",
  "#7b0718",
];

interface Scheme {
  [token: string]: string;
}

/** Colours by what they mean, in the light scheme. */
export const light: Scheme = {
  "--ground": "#ffffff",
  "--ground-raised": neutral[0],
  "--ground-hover": "#f1f2f5",
  "--ground-pointed": neutral[1],
  "--ground-chosen": "#eceefe",
  "--line": neutral[2],
  "--line-strong": neutral[5],
  "--text": neutral[9],
  "--text-muted": neutral[6],
  "--accent": accent[6],
  "--accent-text": "#ffffff",
  "--bar": "#8d94e3",
  "--bar-quiet": neutral[2],
  // Severities: distinct in hue and lightness for the common kinds of colour blindness (after Okabe and Ito), and
  // always shown with an icon or a word.
  "--fatal": "#8f1482",
  "--error": "#b53a07",
  "--warning": "#7d5a00",
  "--info": "#0a6680",
  "--debug": neutral[5],
  "--trace": neutral[3],
  "--good": "#0b6b45",
  "--bad": "#b3152b",
  "--bad-ground": "#fdf0f1",
  "--note-ground": "#fff8e6",
  "--mark": "#ffe8a3",
  "--line-thrown": "#fdeeea",
  "--focus": "#1d5fd1",
};

/** The same in the dark scheme. */
export const night: Scheme = {
  "--ground": dark[7],
  "--ground-raised": "#1a1b20",
  "--ground-hover": "#1f2126",
  "--ground-pointed": dark[5],
  "--ground-chosen": "#24273d",
  "--line": dark[5],
  "--line-strong": dark[3],
  "--text": dark[0],
  "--text-muted": dark[2],
  "--accent": "#a5acff",
  "--accent-text": "#131417",
  "--bar": "#757dd8",
  "--bar-quiet": dark[5],
  "--fatal": "#f08be2",
  "--error": "#ff9468",
  "--warning": "#e3b341",
  "--info": "#58c4dd",
  "--debug": dark[3],
  "--trace": dark[4],
  "--good": "#5fd3a0",
  "--bad": "#ff8d99",
  "--bad-ground": "#33191d",
  "--note-ground": "#2b2514",
  "--mark": "#6b5310",
  "--line-thrown": "#3a231d",
  "--focus": "#7fb0ff",
};

/** Faces, sizes and times, the same in both schemes. */
const shared: Scheme = {
  "--face-code": "var(--mantine-font-family-monospace)",
  "--size-small": "0.75rem",
  "--size": "0.8125rem",
  "--size-row": "0.875rem",
  "--size-code": "0.78125rem",
  "--size-title": "1.125rem",
  "--size-large": "1.375rem",
  "--gap-hair": "0.125rem",
  "--gap-1": "0.25rem",
  "--gap-2": "0.5rem",
  "--gap-3": "0.75rem",
  "--gap-4": "1rem",
  "--gap-5": "1.5rem",
  "--gap-6": "2.5rem",
  "--radius": "0.3125rem",
  "--hair": "1px",
  "--ring": "2px",
  "--row": "3.25rem",
  "--row-small": "2.25rem",
  "--row-dense": "1.75rem",
  "--row-tall": "4.75rem",
  "--height-bar": "3.25rem",
  // The heights of the bars at the top and bottom of a small screen; zero otherwise.
  "--over": "0rem",
  "--under": "0rem",
  // What messages take above that bar, set while there are any (`ui/Messages.tsx`).
  "--message": "0rem",
  // What lies over the bottom of every page: nothing that is pressed may stop beneath it.
  "--below": "calc(var(--under) + var(--message))",
  "--width-nav": "13.75rem",
  "--width-nav-folded": "3.5rem",
  "--width-side": "19rem",
  "--width-form": "75rem",
  "--width-narrow": "27rem",
  "--width-prose": "42rem",
  "--motion": "120ms",
};

/** Mantine's red is made for filled backgrounds; this one is for text. */
const redTexts: Scheme = { "--mantine-color-red-light-color": "var(--bad)", "--mantine-color-red-text": "var(--bad)" };

export const variables: CSSVariablesResolver = () => ({
  variables: shared,
  light: { ...light, ...redTexts },
  dark: { ...night, ...redTexts },
});

const face = '"Inter Variable", system-ui, sans-serif';
const codeFace = '"JetBrains Mono Variable", ui-monospace, monospace';

const scrollingOptions = { options: { maxHeight: "15rem", overflowY: "auto" } } as const;

/** The label of a dialog's close button. The dialog's header is not a banner of the page. */
const closing = { closeButtonProps: { "aria-label": "Close" }, attributes: { header: { role: "none" } } } as const;

/** Menus and lists of choices are rendered within the content: who moves between landmarks would skip them elsewhere. */
const inContent = { target: "#main" } as const;

/** Titles of dialogs look like headings, which they are. */
const dialogTitle = { title: { fontWeight: 620 } } as const;

export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: { light: 6, dark: 6 },
  colors: { gray: neutral, dark, accent, red },
  fontFamily: face,
  fontFamilyMonospace: codeFace,
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  headings: {
    fontFamily: face,
    fontWeight: "620",
    sizes: { h1: { fontSize: "1.125rem" }, h2: { fontSize: "0.875rem" } },
  },
  defaultRadius: "sm",
  radius: { sm: "0.3125rem" },
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: "xs" } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
    // Nested scroll areas cannot be reached by keyboard, which axe reports; the list of options scrolls instead.
    Select: { defaultProps: { size: "xs", withScrollArea: false }, styles: scrollingOptions },
    Autocomplete: { defaultProps: { withScrollArea: false }, styles: scrollingOptions },
    Combobox: { defaultProps: { portalProps: inContent } },
    TextInput: { defaultProps: { size: "sm" } },
    Modal: { defaultProps: { ...closing, centered: true, transitionProps: { duration: 100 } }, styles: dialogTitle },
    Drawer: { defaultProps: closing, styles: dialogTitle },
    // The placeholder takes the first focus, which screen readers and axe would report as an invalid menu item.
    Menu: {
      defaultProps: {
        shadow: "md",
        transitionProps: { duration: 80 },
        withInitialFocusPlaceholder: false,
        portalProps: inContent,
      },
      // A check mark has the room of an icon.
      styles: {
        itemLabel: { minWidth: 0 },
        itemIndicator: { width: "1em", marginInlineEnd: "var(--mantine-spacing-xs)" },
      },
    },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 80 } } },
  },
});
