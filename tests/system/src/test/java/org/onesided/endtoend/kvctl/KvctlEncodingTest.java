package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keys and values of any bytes on kvctl's command line.
 */
@Timeout(300)
class KvctlEncodingTest
{
    private static final int USAGE = 2;

    private static KvctlServer server;

    @BeforeAll
    static void startServer() throws Exception
    {
        server = KvctlServer.start("--memory", "64m");
    }

    @AfterAll
    static void stopServer() throws Exception
    {
        server.close();
    }

    @BeforeEach
    void putBytes()
    {
        assertEquals("", out("put", "--key-encoding", "hex", "--value-encoding", "hex", "00ff", "0a80"));
    }

    @Test
    void shouldTakeAndPrintKeysAndValuesOfAnyBytes()
    {
        assertArrayEquals(new byte[]{10, (byte)0x80},
            kvctl("get", "--key-encoding", "base64", "AP8=").runHere().assertDone().outBytes());
        assertEquals("0a80\n", out("get", "--key-encoding", "escaped", "--value-encoding", "hex", "\\x00\\xFF"));
        assertEquals("\\n\\x80\n", out("get", "--key-encoding", "hex", "--value-encoding", "escaped", "00ff"));
        assertEquals("{\"key_hex\":\"00ff\",\"value64\":\"CoA=\"}\n",
            out("get", "--key-encoding", "hex", "-o", "json", "00ff"));
        assertEquals("{\"key64\":\"AP8=\",\"value_hex\":\"0a80\"}\n",
            out("mget", "--key-encoding", "base64", "--value-encoding", "hex", "-o", "json", "AP8="));
        assertEquals("00ff\t0a80\n", out("mget", "--key-encoding", "hex", "--value-encoding", "hex", "00FF"));
        assertEquals("00ff\tdeleted\n", out("delete", "--key-encoding", "hex", "-o", "plain", "00ff"));
        kvctl("get", "--key-encoding", "hex", "00ff").runHere().assertFailed(3, "not found: 00ff");
    }

    @Test
    void shouldReadValuesOfStandardInput()
    {
        kvctl("put", "--value-encoding", "base64", "read", "-").input("aGVs\nbG8=\n").runHere().assertDone();
        assertEquals("hello", out("get", "read"));
        kvctl("put", "--value-encoding", "escaped", "read", "-").input("a\\x00\n").runHere().assertDone();
        assertEquals("6100\n", out("get", "--value-encoding", "hex", "read"));
        kvctl("put", "--value-encoding", "hex", "read", "-").input("616").runHere()
            .assertFailed(USAGE, "the value on standard input is not two hexadecimal digits per byte: 616");
        kvctl("append", "--value-encoding", "hex", "appended", "-").input("00".repeat(4097)).runHere()
            .assertFailed(USAGE, "too long");
    }

    @Test
    void shouldChangeKeysOfAnyBytes()
    {
        assertEquals("4\n", out("append", "--key-encoding", "hex", "--value-encoding", "escaped", "00ff", "\\x00b"));
        assertEquals("", out("touch", "--key-encoding", "hex", "00ff", "1h"));
        assertEquals("{\"key_hex\":\"00ff\"}\n", out("persist", "--key-encoding", "hex", "-o", "json", "00ff"));
        assertEquals("never\n", out("ttl", "--key-encoding", "hex", "00ff"));
        assertEquals("7\n", out("incr", "--key-encoding", "hex", "fe", "7"));
        assertEquals("37\n", out("getdel", "--key-encoding", "hex", "--value-encoding", "hex", "fe"));
        assertEquals("", out("mput", "--key-encoding", "hex", "--value-encoding", "base64", "fd", "AA=="));
        assertEquals("00\n", out("get", "--key-encoding", "hex", "--value-encoding", "hex", "fd"));
        kvctl("put", "--key-encoding", "hex", "--if-absent", "00ff", "x").runHere()
            .assertFailed(5, "the key is present: key=00ff");
    }

    @Test
    void shouldMoveWholeTables(@TempDir final Path directory) throws Exception
    {
        final Path file = directory.resolve("pairs.tsv");
        kvctl("export", "--key-encoding", "hex", "--value-encoding", "base64", "--prefix", "00ff", file.toString())
            .runHere();
        assertEquals("00ff\tCoA=\n", Files.readString(file));
        out("delete", "--key-encoding", "hex", "00ff");
        kvctl("import", "--key-encoding", "hex", "--value-encoding", "base64", file.toString()).runHere();
        assertEquals("0a80\n", out("get", "--key-encoding", "hex", "--value-encoding", "hex", "00ff"));
        Files.writeString(file, "zz\tx\n");
        kvctl("import", "--key-encoding", "hex", file.toString()).runHere()
            .assertFailed(1, "pairs.tsv:1: the key is not two hexadecimal digits per byte: zz");
        kvctl("import", "--key-encoding", "hex", "--format", "jsonl", "-").runHere()
            .assertFailed(USAGE, "--key-encoding is not of jsonl");
        assertEquals("fe\t41\n", kvctl("mput", "--key-encoding", "hex", "--value-encoding", "hex", "-")
            .input("fe\t41\n").runHere().assertDone().out() +
            kvctl("mget", "--key-encoding", "hex", "--value-encoding", "hex", "-").input("fe\n").runHere().out());
    }

    @Test
    void shouldTakeEncodingsForAShellOrFromVariables()
    {
        final String lines = "get 00ff\nget --value-encoding base64 00ff\n";
        assertEquals("0a80\nCoA=\n", kvctl("shell", "--key-encoding", "hex", "--value-encoding", "hex")
            .input(lines).runHere().assertDone().out());
        assertEquals("0a80\nCoA=\n", kvctl("shell").with("KVCTL_KEY_ENCODING", "hex")
            .with("KVCTL_VALUE_ENCODING", "hex").input(lines).runHere().assertDone().out());
        kvctl("get", "k").with("KVCTL_KEY_ENCODING", "octal").runHere().assertFailed(
            USAGE, "invalid value for KVCTL_KEY_ENCODING", "must be utf8, base64, hex or escaped: 'octal'");
    }

    @Test
    void shouldRefuseATextOfAnotherEncoding()
    {
        kvctl("get", "--key-encoding", "base64", "a$").runHere()
            .assertFailed(USAGE, "kvctl get: the key is not base64, with + and /: a$");
        kvctl("put", "--value-encoding", "escaped", "k", "\\q").runHere()
            .assertFailed(USAGE, "kvctl put: the value is not text with the escapes");
        kvctl("get", "--key-encoding", "hex", "").runHere().assertFailed(USAGE, "the key is empty");
        kvctl("get", "--key-encoding", "hex", "00".repeat(4097)).runHere().assertFailed(USAGE, "the key is too long");
    }

    private static String out(final String... arguments)
    {
        return new String(kvctl(arguments).runHere().assertDone().outBytes(), UTF_8);
    }

    private static KvctlCall kvctl(final String... arguments)
    {
        return KvctlCall.of(arguments).to(server);
    }
}
