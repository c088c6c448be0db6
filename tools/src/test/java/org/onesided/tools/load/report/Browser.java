package org.onesided.tools.load.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Chromium without a window.
 */
public final class Browser
{
    /** Instead of what is on the path. */
    static final String VARIABLE = "ONESIDED_CHROMIUM";

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome-stable");
    /** A guard against hanging, no measure. */
    private static final long LONGEST_RUN_S = 120;

    /** Whether pages are told that the user wants light or dark ones. */
    public enum Scheme
    {
        /** Dark pages. */
        DARK,
        /** Light pages. */
        LIGHT;
    }

    /**
     * A page as it was shown.
     *
     * @param dom      its elements after its scripts ran, as HTML.
     * @param messages what the console got, a line each.
     */
    public record View(String dom, List<String> messages)
    {
        /**
         * Looks at the page's first element.
         *
         * @param name of an attribute.
         * @return its value, or null.
         */
        public String attribute(final String name)
        {
            final String root = dom.substring(dom.indexOf("<html"), dom.indexOf('>', dom.indexOf("<html")));
            final int at = root.indexOf(' ' + name + "=\"");
            return at < 0 ? null : root.substring(at + name.length() + 3, root.indexOf('"', at + name.length() + 3));
        }
    }

    private final Path program;
    private final Path folder;

    private Browser(final Path program, final Path folder)
    {
        this.program = program;
        this.folder = folder;
    }

    /**
     * @param folder for what it writes meanwhile, which is there.
     * @return a browser that was seen to work.
     * @throws IOException          if there is none; the message says how to get one.
     * @throws InterruptedException if the thread was interrupted.
     */
    public static Browser find(final Path folder) throws IOException, InterruptedException
    {
        final String named = System.getenv(VARIABLE);
        final Stream<Path> candidates = named != null ? Stream.of(Path.of(named)) : NAMES.stream().flatMap(name ->
            Stream.of(System.getenv("PATH").split(":")).map(directory -> Path.of(directory, name)));
        final Path program = candidates.filter(Files::isExecutable).findFirst().orElseThrow(() -> new IOException(
            "there is no Chromium. To enable it: apt-get install --no-install-recommends chromium"));
        final Browser browser = new Browser(program, folder);
        final Path page = Files.writeString(folder.resolve("probe.html"),
            "<!DOCTYPE html><title>probe</title><script>console.error('seen ' + (6 * 7))</script>");
        final View view = browser.show(page, "", Scheme.LIGHT, folder.resolve("probe.png"));
        if (!view.dom().contains("<title>probe</title>") || view.messages().size() != 1 ||
            !view.messages().get(0).contains("seen 42"))
        {
            throw new IOException(program + " does not work here: " + view);
        }
        return browser;
    }

    /**
     * Shows a page until its scripts are done.
     *
     * @param page       a file.
     * @param fragment   of its address, from the number sign on.
     * @param scheme     what the user wants.
     * @param screenshot gets a picture of the page's beginning, as PNG.
     * @return what was shown.
     * @throws IOException if that cannot be done.
     */
    View show(final Path page, final String fragment, final Scheme scheme, final Path screenshot)
        throws IOException, InterruptedException
    {
        return show(page.toUri() + fragment, scheme, screenshot);
    }

    /**
     * As above, for a page at an address.
     *
     * @param address    of the page.
     * @param scheme     what the user wants.
     * @param screenshot gets a picture of the page's beginning, as PNG.
     * @return what was shown.
     * @throws IOException          if that cannot be done.
     * @throws InterruptedException if the thread was interrupted.
     */
    public View show(final String address, final Scheme scheme, final Path screenshot)
        throws IOException, InterruptedException
    {
        Files.deleteIfExists(screenshot);
        // A browser that hangs, as may happen where all is slow, is not what is tested.
        for (int attempt = 1; attempt <= 2; attempt++)
        {
            final Path profile = Files.createTempDirectory(folder, "profile");
            final Path out = profile.resolve("out");
            final Path err = profile.resolve("err");
            final ProcessBuilder builder = new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-extensions",
                "--hide-scrollbars",
                "--force-device-scale-factor=1",
                "--force-color-profile=srgb",
                "--enable-logging=stderr",
                "--v=0",
                "--blink-settings=preferredColorScheme=" + scheme.ordinal(),
                "--user-data-dir=" + profile.resolve("data"),
                "--virtual-time-budget=5000",
                "--window-size=1200,1600",
                "--screenshot=" + screenshot,
                "--dump-dom",
                address);
            builder.environment().put("HOME", profile.toString());
            builder.environment().keySet().removeIf(name -> name.startsWith("XDG_") || name.equals("DISPLAY"));
            final Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
            final boolean ended;
            try
            {
                ended = process.waitFor(LONGEST_RUN_S, TimeUnit.SECONDS);
            }
            finally
            {
                // Its helpers first: once it is gone they are no longer its descendants.
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            process.waitFor();
            final String messages = new String(Files.readAllBytes(err), UTF_8);
            final String dom = new String(Files.readAllBytes(out), UTF_8);
            delete(profile);
            if (ended && process.exitValue() == 0 && dom.contains("</html>") && Files.exists(screenshot))
            {
                return new View(dom, messages.lines().filter(line -> line.contains("CONSOLE")).toList());
            }
            if (ended && attempt == 2)
            {
                throw new IOException(
                    program + " failed: status=" + process.exitValue() + " output=" + messages);
            }
        }
        throw new IOException(program + " does not end: seconds=" + LONGEST_RUN_S);
    }

    /** As far as possible: the browser's last process may still write there. */
    private static void delete(final Path directory)
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
        catch (final IOException | UncheckedIOException e)
        {
            System.err.println("browser: cannot delete all of " + directory + ": " + e.getMessage());
        }
    }
}
