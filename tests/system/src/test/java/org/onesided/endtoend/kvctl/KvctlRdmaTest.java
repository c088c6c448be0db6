package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.onesided.documentation.Documented;

/**
 * {@code kvctl rdma devices} and {@code doctor} against the Soft-RoCE device rxe0 on dummy0, and against what
 * rdma-core's own {@code ibv_devinfo} says of it.
 */
@Tag("rdma")
class KvctlRdmaTest
{
    @Test
    void shouldListWhatTheToolsOfRdmaCoreSee() throws Exception
    {
        final String expected = shell("ibv_devinfo -v -d rxe0");

        final String text = KvctlCall.of("rdma", "devices", "--verbose", "--device", "ibv:rxe0").runHere()
            .assertDone().out();

        final List<String> device = cells(text, "*", "ibv:rxe0", "rdma_rxe");
        assertEquals("InfiniBand", device.get(3));
        assertEquals(value(expected, "fw_ver"), device.get(4));
        assertEquals(value(expected, "node_guid"), device.get(5));
        assertEquals(value(expected, "vendor_id"), device.get(6));
        assertEquals(value(expected, "vendor_part_id"), device.get(7));

        final List<String> port = cells(text, "*", "ibv:rxe0", "1", "ACTIVE");
        assertTrue(value(expected, "state").startsWith("PORT_ACTIVE"), expected);
        assertEquals(value(expected, "link_layer"), port.get(4));
        assertEquals(firstWord(value(expected, "active_mtu")), port.get(5));
        assertEquals(firstWord(value(expected, "max_mtu")), port.get(6));
        assertEquals(
            firstWord(value(expected, "active_width")) + " x " + firstWord(value(expected, "active_speed")) + " Gb/s",
            port.get(7));
        assertEquals(value(expected, "port_lid"), port.get(8));

        for (final String[] limit : new String[][]{
            {"queue pairs", "max_qp"},
            {"requests of a queue", "max_qp_wr"},
            {"elements of a request", "max_sge"},
            {"completion queues", "max_cq"},
            {"completions of a queue", "max_cqe"},
            {"memory regions", "max_mr"},
            {"protection domains", "max_pd"},
            {"READs to answer at a time", "max_qp_rd_atom"},
            {"READs outstanding", "max_qp_init_rd_atom"},
            {"shared receive queues", "max_srq"},
            {"receives of a shared queue", "max_srq_wr"},
            {"elements of a shared receive", "max_srq_sge"},
            {"completion vectors", "num_comp_vectors"},
            {"ports", "phys_port_cnt"},
            {"GIDs of port 1", "gid_tbl_len"}})
        {
            assertEquals(value(expected, limit[1]), cells(text, "", "ibv:rxe0", limit[0]).get(3).replace(",", ""),
                limit[0]);
        }
        assertEquals(
            Long.decode(value(expected, "max_msg_sz")),
            Long.valueOf(cells(text, "", "ibv:rxe0", "message length on port 1").get(3).replace(",", "")));
    }

    @Test
    void shouldMarkTheGidMappedFromTheIpv4Address() throws Exception
    {
        final String json = KvctlCall.of("rdma", "devices", "-o", "json").runHere().assertDone().out();
        assertTrue(
            json.startsWith("{\"devices\":[{\"taken\":true,\"device\":\"ibv:rxe0\",\"driver\":\"rdma_rxe\","), json);
        final String text = KvctlCall.of("rdma", "devices").runHere().assertDone().out();

        final List<String> gid = text.lines().map(KvctlRdmaTest::cells)
            .filter(cells -> cells.size() == 8 && cells.get(5).equals("10.9.0.1")).findFirst().orElseThrow();
        assertEquals("*", gid.get(0));
        assertEquals("ibv:rxe0", gid.get(1));
        assertEquals("0000:0000:0000:0000:0000:ffff:0a09:0001", gid.get(4));
        assertEquals("RoCE v2", gid.get(6));
        assertEquals("dummy0", gid.get(7));
        assertTrue(text.endsWith(
            "\n* taken by default: ibv:rxe0 port 1 GID " + gid.get(3) + " (10.9.0.1, RoCE v2)\n"), text);
        Documented.assertShown("docs/rdma.md", "./kvctl rdma devices", text);
    }

    @Test
    void shouldPassADeviceThatWorks() throws Exception
    {
        final KvctlCall.Result result = KvctlCall.of("rdma", "doctor").runHere().assertDone();

        for (final String topic : List.of(
            "libibverbs", "providers", "kernel modules", "kernel devices", "device files", "devices", "ports", "path",
            "locked memory", "loopback"))
        {
            assertTrue(result.out().lines().anyMatch(line -> line.matches("pass {2}" + topic + " {2,}.*")),
                topic + " in:\n" + result.out());
        }
        assertTrue(result.out().contains("\nRDMA works: ibv:rxe0 port 1 GID "), result.out());
        Documented.assertShown("docs/rdma.md", "./kvctl rdma doctor", result.out());
    }

    @Test
    void shouldTellHowToBringADownLinkUp() throws Exception
    {
        shell("ip link set dummy0 down");
        try
        {
            final KvctlCall.Result doctor = KvctlCall.of("rdma", "doctor", "--device", "ibv:rxe0").runHere();
            assertEquals(1, doctor.exitCode(), doctor.out());
            assertTrue(doctor.out().contains("fail  ports"), doctor.out());
            assertTrue(doctor.out().contains("ibv:rxe0 port 1 is DOWN"), doctor.out());
            assertTrue(doctor.out().contains("    ip link set dummy0 up\n"), doctor.out());
            assertTrue(doctor.out().contains("skip  loopback"), doctor.out());

            final String devices = KvctlCall.of("rdma", "devices").runHere().assertDone().out();
            assertTrue(devices.lines().map(KvctlRdmaTest::cells)
                .anyMatch(cells -> cells.size() > 3 && cells.subList(0, 4).equals(
                    List.of("", "ibv:rxe0", "1", "DOWN"))), devices);
            assertFalse(devices.lines().anyMatch(line -> line.startsWith("*  ibv:rxe0")), devices);
        }
        finally
        {
            shell("ip link set dummy0 up");
        }
        // Without waiting: the advice that was given is what helps.
        KvctlCall.of("rdma", "doctor", "--device", "ibv:rxe0").runHere().assertDone();
    }

    @Test
    void shouldRefuseADeviceThatIsNotThere() throws Exception
    {
        KvctlCall.of("rdma", "devices", "--device", "ibv:mlx5_7").runHere()
            .assertFailed(3, "kvctl rdma devices: get_device_list: ENODEV: ", "mlx5_7", "rxe0");
    }

    /** The cells of the first line that begins with these. */
    private static List<String> cells(final String text, final String... start)
    {
        return text.lines().map(KvctlRdmaTest::cells)
            .filter(cells -> cells.size() > start.length && cells.subList(0, start.length).equals(List.of(start)))
            .findFirst().orElseThrow(() -> new AssertionError(List.of(start) + " in:\n" + text));
    }

    private static List<String> cells(final String line)
    {
        return List.of(line.replaceFirst("^ +", "  ").split("  +"));
    }

    /** What ibv_devinfo says of a name. */
    private static String value(final String text, final String name)
    {
        final Matcher matcher =
            Pattern.compile("^\\s*" + name + ":\\s+(.*?)\\s*$", Pattern.MULTILINE).matcher(text);
        assertTrue(matcher.find(), name + " in:\n" + text);
        return matcher.group(1);
    }

    private static String firstWord(final String text)
    {
        return text.split(" ", 2)[0];
    }

    private static String shell(final String command) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), command + ": " + output);
        return output;
    }
}
