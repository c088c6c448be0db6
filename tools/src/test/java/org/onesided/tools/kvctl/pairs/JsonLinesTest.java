package org.onesided.tools.kvctl.pairs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.types.Version;

class JsonLinesTest extends PairFormatContract
{
    JsonLinesTest()
    {
        super(PairFormat.JSONL);
    }

    @Test
    void shouldWriteTextAsStrings() throws IOException
    {
        assertEquals("{\"key\":\"key\",\"value\":\"two\\nlines \\\"é😀\\\"\"}\n", written("key", "two\nlines \"é😀\""));
    }

    @Test
    void shouldWriteAVersionAsAField() throws IOException
    {
        assertEquals("{\"key\":\"k\",\"value\":\"v\",\"version\":\"a-1\"}\n",
            written(new byte[]{'k'}, new byte[]{'v'}, new Version(10, 1)));
    }

    @Test
    void shouldWriteATimeOfExpiryAsAField() throws IOException
    {
        assertEquals("{\"key\":\"k\",\"value\":\"v\",\"expires\":1500}\n",
            written(new byte[]{'k'}, new byte[]{'v'}, null, Instant.ofEpochMilli(1_500)));
    }

    @Test
    void shouldWriteOtherBytesAsBase64() throws IOException
    {
        assertEquals(
            "{\"key64\":\"/w==\",\"value64\":\"gIE=\"}\n", written(new byte[]{-1}, new byte[]{-128, -127}));
        assertEquals("{\"key\":\"k\",\"value64\":\"/w==\"}\n", written("k".getBytes(UTF_8), new byte[]{-1}));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "{\"value\":\"v\",\"key\":\"k\"}",
        " { \"key\" : \"k\" , \"value\" : \"v\" } ",
        "{\"key64\":\"aw==\",\"value\":\"v\"}",
        "{\"key\":\"\\u006b\",\"value64\":\"dg==\"}",
        "{\"key\":\"k\",\"value\":\"v\"}\r",
        "{\"version\":\"a-1\",\"key\":\"k\",\"value\":\"v\"}",
        "{\"expires\":1500,\"key\":\"k\",\"value\":\"v\"}",
    })
    void shouldReadAnyFormOfAPair(final String line) throws Exception
    {
        final PairReader reader = reader((line + "\n").getBytes(UTF_8));

        assertTrue(reader.next());
        assertEquals("k", new String(reader.key(), UTF_8));
        assertEquals("v", new String(reader.value(), UTF_8));
    }

    @Test
    void shouldReadSurrogatePairs() throws Exception
    {
        final PairReader reader = reader("{\"key\":\"k\",\"value\":\"\\ud83d\\ude00\"}".getBytes(UTF_8));

        assertTrue(reader.next());
        assertEquals("😀", new String(reader.value(), UTF_8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', value = {
        "''|one object",
        "' '|one object",
        "42|one object",
        "[\"k\",\"v\"]|one object",
        "nonsense|not JSON",
        "{|not JSON",
        "{\"key\":\"k\",\"value\":\"v\"|not JSON",
        "{\"key\":\"k\",\"value\":\"v|not JSON",
        "{\"key\":\"k\",\"value\":\"\\q\"}|not JSON",
        "{\"key\":\"k\",\"value\":\"a\tb\"}|not JSON",
        "{'key':'k'}|not JSON",
        "{\"key\":\"k\",\"value\":\"v\"} x|not JSON",
        "{\"key\":\"k\",\"value\":\"v\"} {}|after the object",
        "{}|missing: key",
        "{\"key\":\"k\"}|missing: value",
        "{\"value\":\"v\"}|missing: key",
        "{\"key\":\"\",\"value\":\"v\"}|key is empty",
        "{\"key64\":\"\",\"value\":\"v\"}|key is empty",
        "{\"key\":\"k\",\"value\":\"v\",\"version\":\"A-1\"}|not a version: A-1",
        "{\"key\":\"k\",\"value\":\"v\",\"version\":1}|must be a string: version",
        "{\"key\":\"k\",\"version\":\"a-1\"}|missing: value",
        "{\"key\":\"k\",\"value\":\"v\",\"expires\":\"1\"}|must be a whole number",
        "{\"key\":\"k\",\"value\":\"v\",\"expires\":1.5}|must be a whole number",
        "{\"key\":\"k\",\"value\":\"v\",\"expires\":0}|not a time of expiry",
        "{\"key\":\"k\",\"value\":\"v\",\"expires\":99999999999999999999}|not a time of expiry",
        "{\"key\":\"k\",\"value\":\"v\",\"expires\":1,\"expires\":1}|given twice",
        "{\"key\":\"k\",\"value\":null}|must be a string: value",
        "{\"key\":\"k\",\"value\":1}|must be a string: value",
        "{\"key\":\"k\",\"value\":{}}|must be a string: value",
        "{\"key\":[\"k\"],\"value\":\"v\"}|must be a string: key",
        "{\"key\":\"k\",\"key\":\"l\",\"value\":\"v\"}|given twice: key",
        "{\"key\":\"k\",\"value\":\"v\",\"value64\":\"dg==\"}|given twice: value",
        "{\"key\":\"k\",\"value\":\"v\",\"ttl\":\"1\"}|unknown field: ttl",
        "{\"key\":\"k\",\"value\":\"v\",\"64\":\"1\"}|unknown field: 64",
        "{\"key\":\"k\",\"value64\":\"d!==\"}|not base64: value64",
        "{\"key\":\"k\",\"value64\":\"dg\"}|not base64: value64",
        "{\"key\":\"k\",\"value\":\"\\ud83d\"}|not UTF-8",
        "{\"key\":\"k\",\"value\":\"\\ude00x\"}|not UTF-8",
    })
    void shouldNameABrokenLineAndGoOnBehindIt(final String line, final String reason) throws Exception
    {
        assertBroken(line.replace("'key':'k'", "\u0027key\u0027:1"), reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"80", "C080", "EDA080EDB080", "F4908080", "C3", "FF"})
    void shouldRefuseBytesThatAreNoUtf8(final String hex) throws Exception
    {
        final String bytes = new String(HexFormat.of().parseHex(hex), ISO_8859_1);
        final String text = "{\"key\":\"k\",\"value\":\"" + bytes + "\"}\n{\"key\":\"l\",\"value\":\"w\"}\n";
        final PairReader reader = reader(text.getBytes(ISO_8859_1));

        final BrokenLineException e = assertThrows(BrokenLineException.class, reader::next);

        assertTrue(e.getMessage().contains("not UTF-8"), e.getMessage());
        assertTrue(reader.next());
        assertArrayEquals(new byte[]{'l'}, reader.key());
    }
}
