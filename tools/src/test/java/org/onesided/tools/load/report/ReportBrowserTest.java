package org.onesided.tools.load.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Looks at the page in a browser. Pages and pictures stay in {@code target/report}.
 */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ReportBrowserTest
{
    private static final Path SHOWN = Path.of("target", "report").toAbsolutePath();
    private static final Path DOCUMENTED = Path.of("..", "docs");
    private static final int DOCUMENTED_HEIGHT = 1380;
    private static final long DOCUMENTED_BYTES = 150_000;
    private static final Pattern CANVAS = Pattern.compile("<canvas [^>]*>");
    private static final Pattern INK = Pattern.compile("data-ink=\"(\\d+)\" data-colours=\"(\\d+)\"");
    /** Of a chart with axes only there would be fewer. */
    private static final int LEAST_INK = 2000;
    private static final int LEAST_COLOURS = 20;

    private static Browser browser;
    /** Why nothing more is asked of the browser, if it failed. */
    private static IOException failure;

    @BeforeAll
    static void find() throws Exception
    {
        System.setProperty("java.awt.headless", "true");
        Files.createDirectories(SHOWN);
        try
        {
            browser = Browser.find(SHOWN);
        }
        catch (final IOException e)
        {
            skip(e);
        }
    }

    private static void skip(final IOException why)
    {
        System.err.println("browser: SKIPPED: nobody looked at the report, since " + why.getMessage());
        Assumptions.abort(why.getMessage());
    }

    @Tag("full")
    @Test
    void shouldDrawOneRun() throws Exception
    {
        final Browser.View view = show("one-run", Browser.Scheme.LIGHT, ReportRun.of("", SampleRuns.workloadB(1, 1)));
        // For either phase the throughput and the processor time, of operations two charts each, and READs per GET.
        assertDrawn(view, 2 * 2 + 3 * 2 + 1);
        assertEquals("light", view.attribute("data-scheme"));
        assertTrue(view.dom().contains("<h1>Workload B on 127.0.0.1:19875 over shm</h1>"));
        assertTrue(view.dom().contains(">kvctl load --workload b --duration 30s</pre>"));
        final Set<Integer> colours = colours("one-run");
        assertTrue(colours.contains(0xf7f7f5) && colours.contains(0x2456c7), "background and line of the light page");
    }

    @Tag("full")
    @Test
    void shouldDrawSeveralRunsInTheDark() throws Exception
    {
        final Browser.View view = show("three-runs", Browser.Scheme.DARK,
            ReportRun.of("before.json", SampleRuns.workloadB(1, 1)),
            ReportRun.of("after.json", SampleRuns.workloadB(1.3, 2)),
            ReportRun.of("with-target.json", SampleRuns.behind(3)));
        assertDrawn(view, 2 * 2 + 3 * 2 + 1);
        assertEquals("dark", view.attribute("data-scheme"));
        assertTrue(view.dom().contains("<h1>3 runs compared</h1>"));
        assertTrue(view.dom().contains("with-target.json: 4,711 operations were due"));
        assertTrue(view.dom().contains(">Conflicts<"), "the conflicts of one of the runs");
        final Set<Integer> colours = colours("three-runs");
        assertTrue(colours.containsAll(List.of(0x121418, 0x83a9ff, 0xff9d66, 0x4bcdb8)), "page and lines in the dark");
    }

    @Test
    void shouldShowConflicts() throws Exception
    {
        final Browser.View view = show("conflicts", Browser.Scheme.LIGHT, ReportRun.of("", SampleRuns.contested(3)));
        assertTrue(view.dom().contains(">Conflicts<"), "a tile of its own");
        assertTrue(view.dom().contains("45 operations given up"), "what came of them");
        assertTrue(view.dom().contains("100 % READ-MODIFY-WRITE by version"), "how it puts");
    }

    /** Draws the pictures of docs/load.md from real runs, which {@code kvctl load -o json} wrote. */
    @Tag("full")
    @Test
    void shouldDrawTheRunsOfTheDocumentation() throws Exception
    {
        final int charts = 2 * 2 + 3 * 2 + 1;
        assertDrawn(show("documented", Browser.Scheme.LIGHT, real("", "two-threads.json")), charts);
        document("documented", "report.png");
        assertDrawn(show("documented-dark", Browser.Scheme.DARK, real("one-thread.json", "one-thread.json"),
            real("two-threads.json", "two-threads.json"), real("tcp.json", "tcp.json")), charts);
        document("documented-dark", "report-dark.png");
    }

    private static ReportRun real(final String label, final String name) throws IOException
    {
        try (InputStream json = ReportBrowserTest.class.getResourceAsStream(name))
        {
            return ReportRun.parse(label, json.readAllBytes());
        }
    }

    @Test
    void shouldTakeNothingForItsOwnThatIsNot() throws Exception
    {
        final String markup =
            "</script><script>document.title='taken'</script><img src=x onerror=\"throw 1\">'&lt;${data}";
        final Path page = write("markup",
            ReportRun.of(markup, SampleRuns.named(markup)), ReportRun.of(markup, SampleRuns.named(markup)));
        final String image = "<img src=\"probe.png\" class=\"ours\">";
        Files.writeString(page, Files.readString(page).replace("</body>",
            "<script>document.documentElement.dataset.taken = 'yes'</script>" + image + "</body>"));
        final Browser.View view = view(page, Browser.Scheme.LIGHT);

        // Markup in results is text.
        assertCharts(view, 1 + 2 + 2);
        assertTrue(view.dom().contains("<title>2 runs compared"));
        assertTrue(view.dom().contains("&lt;img src=x onerror=\"throw 1\"&gt;'&amp;lt;${data}</strong>"));
        assertFalse(view.dom().replace(image, "").contains("<img"));

        // And what might get past that, as did the test's own, runs and loads nothing.
        assertNull(view.attribute("data-taken"));
        assertFalse(view.messages().isEmpty(), "nothing was said to be refused");
        assertTrue(view.messages().stream().allMatch(line -> line.contains("Content Security Policy")),
            () -> view.messages().toString());
    }

    /** Writes a picture of docs/load.md if asked to, and checks that it exists. */
    private static void document(final String name, final String picture) throws IOException
    {
        final Path file = DOCUMENTED.resolve(picture);
        if (Boolean.getBoolean("docs.write"))
        {
            final BufferedImage shown = ImageIO.read(SHOWN.resolve(name + ".png").toFile());
            final BufferedImage beginning = new BufferedImage(
                shown.getWidth(), DOCUMENTED_HEIGHT, BufferedImage.TYPE_INT_RGB);
            beginning.createGraphics().drawImage(shown, 0, 0, null);
            ImageIO.write(Pictures.with256Colours(beginning), "png", file.toFile());
        }
        assertTrue(Files.size(file) < DOCUMENTED_BYTES, file + " has " + Files.size(file) + " bytes");
        final BufferedImage image = ImageIO.read(file.toFile());
        assertEquals(DOCUMENTED_HEIGHT, image.getHeight(), "write it anew with -Ddocs.write=true");
    }

    private static Path write(final String name, final ReportRun... runs) throws IOException
    {
        final Path page = SHOWN.resolve(name + ".html");
        try (OutputStream out = Files.newOutputStream(page))
        {
            ReportPage.write(List.of(runs), out);
        }
        return page;
    }

    private static Browser.View show(final String name, final Browser.Scheme scheme, final ReportRun... runs)
        throws Exception
    {
        return view(write(name, runs), scheme);
    }

    private static Browser.View view(final Path page, final Browser.Scheme scheme) throws Exception
    {
        if (failure != null)
        {
            skip(failure);
        }
        final String picture = page.getFileName().toString().replace(".html", ".png");
        try
        {
            return browser.show(page, "#ink", scheme, page.resolveSibling(picture));
        }
        catch (final IOException e)
        {
            // The browser itself failed, twice, as it may for want of memory.
            failure = e;
            skip(e);
            throw e;
        }
    }

    private static void assertDrawn(final Browser.View view, final int charts)
    {
        assertEquals(List.of(), view.messages());
        assertCharts(view, charts);
    }

    /** That all charts are there, each with more than its axes, and that nothing sticks out. */
    private static void assertCharts(final Browser.View view, final int charts)
    {
        assertEquals(Integer.toString(charts), view.attribute("data-charts"));
        assertTrue(List.of("0", "1").contains(view.attribute("data-overflow")),
            "pixels that the page is too wide: " + view.attribute("data-overflow"));
        assertEquals(charts, CANVAS.matcher(view.dom()).results().count());
        final Matcher inks = INK.matcher(view.dom());
        int seen = 0;
        while (inks.find())
        {
            assertTrue(Integer.parseInt(inks.group(1)) >= LEAST_INK, inks.group());
            assertTrue(Integer.parseInt(inks.group(2)) >= LEAST_COLOURS, inks.group());
            seen++;
        }
        assertEquals(charts, seen);
    }

    private static Set<Integer> colours(final String name) throws IOException
    {
        final BufferedImage image = ImageIO.read(SHOWN.resolve(name + ".png").toFile());
        assertEquals(1200, image.getWidth());
        final int[] pixels = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
        Arrays.sort(pixels);
        return IntStream.range(0, pixels.length)
            .filter(i -> i == 0 || pixels[i] != pixels[i - 1])
            .mapToObj(i -> pixels[i] & 0xffffff)
            .collect(Collectors.toSet());
    }
}
