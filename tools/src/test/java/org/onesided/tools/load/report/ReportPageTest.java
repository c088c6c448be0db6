package org.onesided.tools.load.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ReportPageTest
{
    private static final Pattern DATA =
        Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>", Pattern.DOTALL);

    @Test
    void shouldHoldTheWholeResult() throws Exception
    {
        final byte[] example = example();
        final String page = page(ReportRun.parse("example.json", example));
        final Matcher data = DATA.matcher(page);
        assertTrue(data.find());
        final String wrapped = "{\"runs\":" + data.group(1) + "}";
        assertEquals(
            Map.of("runs", List.of(Map.of(
                "label", "example.json", "result", JsonTree.parse(new JsonFactory(), example)))),
            JsonTree.parse(new JsonFactory(), wrapped.getBytes(UTF_8)));
    }

    @Test
    void shouldLoadNothing() throws Exception
    {
        final String page = page(ReportRun.parse("example.json", example()));
        assertTrue(page.contains("content=\"default-src 'none'; "), page.substring(0, 500));
        final String markup = page.replaceAll("(?s)(<script[^>]*>).*?(</script>)", "$1$2");
        assertFalse(markup.matches("(?s).*<(link|img|iframe|script src|script [^>]*src).*"), markup);
        assertFalse(markup.contains("url(") || markup.contains("@import"), markup);
        assertFalse(page.contains("sourceMappingURL"));
    }

    @Test
    void shouldHoldTheLicencesOfWhatItShips() throws Exception
    {
        final String page = page(ReportRun.parse("example.json", example()));
        assertTrue(page.contains("Copyright (c) 2014-") && page.contains("Chart.js Contributors"));
        assertTrue(page.contains("Jukka Kurkela"));
        assertEquals(3, page.split("THE SOFTWARE IS PROVIDED").length, "two licences");
    }

    @Test
    void shouldLetNoTextEndTheData() throws Exception
    {
        final String text = "</script><!--<script>'&\u2028";
        final String page = page(ReportRun.of(text, SampleRuns.named(text)));
        final Matcher data = DATA.matcher(page);
        assertTrue(data.find());
        assertFalse(data.group(1).matches("(?s).*[<>&'].*"));
        assertEquals(page(ReportRun.of("", SampleRuns.named("plain"))).split("<script").length,
            page.split("<script").length);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "[]", "{", "{}", "{\"format\": \"onesided-load/2\"}", "{\"format\": \"onesided-load/1\"} {}",
        "{\"format\": 1}", "key\tvalue", "{\"format\": NaN}"})
    void shouldRefuseWhatIsNoResult(final String json)
    {
        final IllegalArgumentException failure = assertThrows(
            IllegalArgumentException.class, () -> ReportRun.parse("file", json.getBytes(UTF_8)));
        assertFalse(failure.getMessage().contains("\n"), failure::getMessage);
    }

    @Test
    void shouldCompareRunsInATable() throws Exception
    {
        final ReportRun example = ReportRun.parse("a.json", example());
        final Comparison comparison = Comparison.of(List.of(
            example, ReportRun.of("b.json", SampleRuns.workloadB(1, 1))));
        final String text = comparison.table();
        assertTrue(text.startsWith("phase  figure"), text);
        assertTrue(text.contains("a.json") && text.contains("b.json"), text);
        assertTrue(Pattern.compile("(?m)^run    operations/s   +9,920  +1,4\\d\\d,\\d{3} \\(\\+14\\d{3}\\.\\d %\\)$")
            .matcher(text).find(), text);
        assertTrue(Pattern.compile("(?m)^load   INSERT p99 ").matcher(text).find(), text);
        assertFalse(Pattern.compile("(?m)^load   READs").matcher(text).find(), text);
        assertTrue(Pattern.compile("(?m)^run\tREAD p99\tns\t\\d+\t\\d+$").matcher(comparison.plain()).find(),
            comparison.plain());
        assertTrue(comparison.json().startsWith("{\"runs\":[\"a.json\",\"b.json\"],\"figures\":[{\"phase\":\"run\"," +
            "\"figure\":\"operations/s\",\"unit\":\"1/s\",\"values\":[9920,14"), comparison.json());
    }

    @Test
    void shouldTellWhichSettingsDiffer() throws Exception
    {
        final String example = new String(example(), UTF_8);
        final ReportRun run = ReportRun.parse("a.json", example());
        assertFalse(Comparison.of(List.of(run, run)).table().contains("differs"));
        final String text = Comparison.of(List.of(run, ReportRun.parse("b.json",
            example.replace("\"threads\": 2", "\"threads\": 4").replace("\"seed\": \"42\"", "\"seed\": \"43\"")
                .getBytes(UTF_8)))).table();
        assertTrue(text.endsWith(
            "\nWhat differs between the runs:\nsetting  a.json  b.json\nthreads  2       4\n"), text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "\\{[^{}]*\"host\"[^{}]*\\} | null | result lacks an object: field=machine",
        "\"settings\": \\{ | \"settings\": [], \"other\": { | result lacks an object: field=settings",
        "\"service\": \\{ | \"service\": null, \"other\": { | result lacks an object: field=phases[0].operations[0].s",
        "\"elapsedNs\": \\d+ | \"elapsedNs\": \"long\" | result lacks a number: field=phases[0].elapsedNs",
        "\"records\": \\d+ | \"records\": 1e999 | a number is too large: line=",
        "\"curve\": \\[ | \"curve\": [ 7, | result lacks a list of pairs of numbers: field=phases[0].operations",
        "\"phases\": \\[ | \"phases\": [ 7, | result lacks a list of objects: field=phases",
        "\"phases\" | \"stages\" | result lacks a list: field=phases",
        "\"99.99\" | \"99.98\" | result lacks a number: field=phases[0].operations[0].service.percentiles.99.99"})
    void shouldNameWhatAResultLacks(final String part, final String other, final String message) throws Exception
    {
        final String example = new String(example(), UTF_8);
        final String broken = Pattern.compile(part).matcher(example).replaceFirst(Matcher.quoteReplacement(other));
        assertNotEquals(example, broken);
        final String told = assertThrows(
            IllegalArgumentException.class, () -> ReportRun.parse("file", broken.getBytes(UTF_8))).getMessage();
        assertTrue(told.startsWith(message), told);
    }

    private static String page(final ReportRun run) throws IOException
    {
        final ByteArrayOutputStream page = new ByteArrayOutputStream();
        ReportPage.write(List.of(run), page);
        return page.toString(UTF_8);
    }

    private static byte[] example() throws IOException
    {
        try (InputStream input = ReportPageTest.class.getResourceAsStream("/org/onesided/tools/load/example.json"))
        {
            return input.readAllBytes();
        }
    }
}
