package org.onesided.tools.kvctl.pairs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PairFormatTest
{
    @ParameterizedTest
    @CsvSource({
        "a.tsv,TSV", "a.txt,TSV", "a,TSV", "-,TSV", "jsonl,TSV", "a.jsonl,JSONL", "a.JSONL,JSONL", "a.ndjson,JSONL",
        "/tmp/b.c/a.json,JSONL", "/tmp/a.json/b,TSV"})
    void shouldTellTheFormByTheFileName(final String name, final PairFormat format)
    {
        assertEquals(format, PairFormat.ofFileName(name));
    }
}
