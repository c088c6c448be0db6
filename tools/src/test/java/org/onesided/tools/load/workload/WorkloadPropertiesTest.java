package org.onesided.tools.load.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.tools.DocumentedTable;

class WorkloadPropertiesTest
{
    @ParameterizedTest
    @CsvSource({
        "a, 0.5, 0.5, 0, 0, YCSB_ZIPFIAN",
        "b, 0.95, 0.05, 0, 0, YCSB_ZIPFIAN",
        "c, 1, 0, 0, 0, YCSB_ZIPFIAN",
        "d, 0.95, 0, 0.05, 0, LATEST",
        "f, 0.5, 0, 0, 0.5, YCSB_ZIPFIAN"})
    void shouldHaveYcsbsMixes(
        final String letter,
        final double read,
        final double update,
        final double insert,
        final double readModifyWrite,
        final Distribution distribution)
    {
        final Workload workload = new WorkloadProperties(CoreWorkloads.properties(letter)).workload(letter);

        assertEquals(new Mix(read, update, insert, readModifyWrite), workload.mix());
        assertEquals(distribution, workload.distribution());
    }

    @ParameterizedTest
    @CsvSource({"a, 0.5, 0.5, 0, 0", "d, 0.95, 0, 0.05, 0", "f, 0.5, 0, 0, 0.5"})
    void shouldDrawOperationsAsOftenAsTheMixSays(
        final String letter, final double read, final double update, final double insert, final double both)
    {
        final Mix mix = new WorkloadProperties(CoreWorkloads.properties(letter)).workload(letter).mix();
        final SplittableRandom random = new SplittableRandom(1);
        final int[] counts = new int[OperationType.values().length];
        for (int i = 0; i < 100_000; i++)
        {
            counts[mix.draw(random).ordinal()]++;
        }

        final double[] expected = {read, update, insert, both};
        for (int i = 0; i < counts.length; i++)
        {
            assertEquals(expected[i], counts[i] / 1e5, expected[i] == 0 ? 0 : 0.01);
        }
    }

    @Test
    void shouldRefuseScans()
    {
        assertRefused("no scan in the order of keys", CoreWorkloads.properties("e"));
    }

    @Test
    void shouldReadYcsbsProperties()
    {
        final Map<String, String> properties = new HashMap<>();
        properties.put("workload", "site.ycsb.workloads.CoreWorkload");
        properties.put("recordcount", "5000");
        properties.put("operationcount", "700");
        properties.put("insertstart", "1000");
        properties.put("insertcount", "2000");
        properties.put("fieldcount", "3");
        properties.put("fieldlength", "50");
        properties.put("readallfields", "true");
        properties.put("readproportion", "0.6");
        properties.put("updateproportion", "0.2");
        properties.put("insertproportion", "0.1");
        properties.put("scanproportion", "0");
        properties.put("readmodifywriteproportion", "0.1");
        properties.put("requestdistribution", "uniform");
        properties.put("insertorder", "ordered");
        properties.put("zeropadding", "8");
        properties.put("maxexecutiontime", "60");
        properties.put("threadcount", "4");
        properties.put("target", "250.5");
        properties.put("dataintegrity", "true");
        properties.put("maxscanlength", "100");
        properties.put("hdrhistogram.percentiles", "50");
        properties.put("onesided.readmodifywrite", "retry");
        properties.put("nonsense", "1");
        final WorkloadProperties ycsb = new WorkloadProperties(properties);

        assertEquals(
            new Workload("x", new Mix(0.6, 0.2, 0.1, 0.1), Distribution.UNIFORM, 5000, 1000, 2000, 700, 3, 50,
                new KeyNames(false, 8), ReadModifyWrite.RETRY, 0),
            ycsb.workload("x"));
        assertEquals(4, ycsb.threads());
        assertEquals(250.5, ycsb.target());
        assertEquals(60, ycsb.longestSeconds());
        assertTrue(ycsb.isIntegrityAsked());
        assertEquals(List.of("hdrhistogram.percentiles", "nonsense"), ycsb.unused());
    }

    @Test
    void shouldDocumentEachNumber() throws Exception
    {
        final StringBuilder table = new StringBuilder("| property | option | default | |\n|---|---|---|---|\n");
        for (final WorkloadSetting setting : WorkloadSetting.values())
        {
            table.append("| `" + setting.property() + "` | `" + setting.option() + "` | " + setting.defaultText() +
                " | " + setting.meaning() + " |\n");
        }
        DocumentedTable.in(Path.of("..", "docs", "load.md"), "numbers").assertIs(table.toString());
    }

    @Test
    void shouldHaveYcsbsDefaults()
    {
        final Workload workload = new WorkloadProperties(Map.of()).workload("x");

        assertEquals(new Mix(0.95, 0.05, 0, 0), workload.mix());
        assertEquals(Distribution.UNIFORM, workload.distribution());
        assertEquals(1000, workload.valueLength());
        assertEquals(new KeyNames(true, 1), workload.keyNames());
        assertEquals(ReadModifyWrite.PLAIN, workload.readModifyWrite());
        assertEquals(0, workload.ttlMs());
    }

    @Test
    void shouldReadHowLongKeysLive()
    {
        assertEquals(90_000, new WorkloadProperties(Map.of("onesided.ttl", "1m30s")).workload("x").ttlMs());
    }

    @ParameterizedTest
    @CsvSource({
        "recordcount, many, recordcount must be a whole number from 1 to 1099511627776: recordcount=many",
        "recordcount, -1, recordcount must be a whole number from 1",
        "recordcount, 0, 1099511627776: recordcount=0",
        "recordcount, 9000000000000000000, recordcount must be",
        "insertstart, 10000, insertstart is out of range",
        "insertcount, 10001, insertcount is out of range",
        "fieldlength, 67108864, up to 64 MiB",
        "fieldcount, 3000000000, fieldcount must be a whole number from 1",
        "readproportion, -0.5, proportions must be 0 or more",
        "readproportion, NaN, proportions must be 0 or more",
        "readproportion, half, not a number",
        "requestdistribution, hotspot, no such distribution",
        "onesided.readmodifywrite, cas, no such read-modify-write, choose one of plain",
        "zeropadding, 5000, zeropadding is out of range",
        "workload, org.example.Other, workload can only be site.ycsb",
        "fieldlengthdistribution, zipfian, can only be constant",
        "readallfields, false, can only be true"})
    void shouldRefuse(final String name, final String value, final String part)
    {
        assertRefused(part, Map.of(name, value));
    }

    @Test
    void shouldRefuseAWorkloadWithoutOperations()
    {
        assertRefused("one of them more than 0", Map.of("readproportion", "0", "updateproportion", "0"));
        assertThrows(IllegalArgumentException.class, () -> CoreWorkloads.properties("g"));
    }

    private static void assertRefused(final String part, final Map<String, String> properties)
    {
        final IllegalArgumentException e = assertThrows(
            IllegalArgumentException.class, () -> new WorkloadProperties(properties).workload("x"));
        assertTrue(e.getMessage().contains(part), e.getMessage());
    }
}
