package org.onesided.endtoend.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds the container image, reads it as an engine does, and runs it in another root; with Docker, where it runs, too.
 */
@Tag("full")
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ImageTest
{
    private static final long MOST_BYTES = 80_000_000;
    private static final String END = "-image[.]tar";

    @TempDir
    private static Path built;

    private static Path tar;

    @TempDir
    private Path folder;

    /** An image as its files say. */
    private record Image(Path layout, String config, Path layer)
    {
        List<String> list(final String name)
        {
            return strings(config.replaceFirst("(?s).*\"" + name + "\": *\\[([^]]*)].*", "$1"));
        }

        String user()
        {
            return config.replaceFirst("(?s).*\"User\": *\"(\\d+):\\1\".*", "$1");
        }

        Map<String, String> variables()
        {
            final Map<String, String> variables = new HashMap<>();
            list("Env").forEach(each -> variables.put(each.replaceFirst("=.*", ""), each.replaceFirst("[^=]*=", "")));
            return variables;
        }
    }

    @BeforeAll
    static void build() throws Exception
    {
        tar = Files.copy(Commands.build("image", END, false), built.resolve("image.tar"));
    }

    @Test
    void shouldBeTheSameBytesWhoeverBuilds() throws Exception
    {
        assertEquals(-1, Files.mismatch(tar, Commands.build("image", END, true)));
        assertTrue(Files.size(tar) < MOST_BYTES, Files.size(tar) + " bytes");
    }

    @Test
    void shouldRunInAnotherRootAsItsConfigurationSays() throws Exception
    {
        OtherRoot.assumeWorks();
        final Image image = read();
        final Path root = Files.createDirectory(folder.resolve("root"));
        Commands.run("tar", "-C", root.toString(), "--same-owner", "-xzf", image.layer().toString()).assertDone();
        final OtherRoot inside = new OtherRoot(root, image.user());
        final List<String> entry = image.list("Entrypoint");
        assertEquals(List.of("server"), image.list("Cmd"));
        makeCertificate(root);

        final List<String> command = new ArrayList<>(entry);
        command.addAll(List.of("server", "--listen", "127.0.0.1:0", "--memory", "64m", "--device", "shm,tcp",
            "--data", "/var/lib/onesided/data", "--metrics", "0",
            "--tls-certificate", "/tmp/server.crt", "--tls-key", "/tmp/server.key"));
        try (RootServer server = new RootServer(inside, image.variables(), command))
        {
            for (final String device : List.of("shm", "tcp"))
            {
                inside.kvctl(server.address(), "--tls-ca", "/tmp/server.crt", "--device", device, "put", "k", device)
                    .assertDone();
                assertEquals(device, inside.kvctl(
                    server.address(), "--tls-ca", "/tmp/server.crt", "--device", device, "get", "k").assertDone());
            }
            inside.kvctl(server.address(), "--tls-ca", "/tmp/server.crt", "stats").assertDone();
            server.stop();
            assertFalse(server.log().contains(" ERROR "), server.log());
        }
        // Many classes, each of which the runtime must have: Ratis' and its gRPC, load runs with their report.
        final String demo = inside.run("/usr/bin/kvctl", "cluster", "demo").assertDone();
        assertTrue(demo.contains("partition 0"), demo);
        final String start = inside.run("/usr/bin/kvctl", "quickstart", "--memory", "32m").assertDone();
        assertTrue(start.contains("10,000 lookups"), start);
        assertTrue(start.contains("\n  kvctl put greeting hello\n"), start);
        for (final String each : List.of("--help", "completion bash", "man get", "load --help", "rdma talk --help"))
        {
            final List<String> words = new ArrayList<>(List.of("/usr/bin/kvctl"));
            words.addAll(List.of(each.split(" ")));
            inside.run(words.toArray(String[]::new)).assertDone();
        }
    }

    @Test
    void shouldBeLoadedAndRunByDocker() throws Exception
    {
        assumeTrue(Commands.exist("docker") && Commands.run("docker", "info").exitCode() == 0,
            "not tested: no Docker runs here");
        final String loaded = Commands.run("docker", "load", "-i", tar.toString()).assertDone();
        final String name = loaded.replaceFirst("(?s).*Loaded image: (\\S+)\\s*", "$1");
        try
        {
            final String printed = Commands.run("docker", "run", "--rm", name, "quickstart", "--memory", "32m")
                .assertDone();
            assertTrue(printed.contains("10,000 lookups"), printed);
        }
        finally
        {
            Commands.run("docker", "rmi", name);
        }
    }

    /** From the index to the layer, with the checksum of each blob. */
    private Image read() throws Exception
    {
        final Path layout = Files.createDirectory(folder.resolve("layout"));
        Commands.run("tar", "-C", layout.toString(), "-xf", tar.toString()).assertDone();
        assertEquals("{\"imageLayoutVersion\": \"1.0.0\"}\n", Files.readString(layout.resolve("oci-layout")));
        final Path blobs = layout.resolve("blobs/sha256");
        try (Stream<Path> all = Files.list(blobs))
        {
            for (final Path blob : all.toList())
            {
                assertEquals(blob.getFileName().toString(), checksum("sha256sum \"$1\"", blob));
            }
        }
        final List<Path> manifests = described(layout, Files.readString(layout.resolve("index.json")));
        assertEquals(1, manifests.size());
        final List<Path> parts = described(layout, Files.readString(manifests.get(0)));
        assertEquals(2, parts.size());
        final String config = Files.readString(parts.get(0));
        assertTrue(config.contains("\"diff_ids\": [\"sha256:" + checksum("gzip -dc \"$1\" | sha256sum", parts.get(1)) +
            "\"]"), config);
        final String docker = Files.readString(layout.resolve("manifest.json"));
        parts.forEach(part -> assertTrue(docker.contains("\"" + layout.relativize(part) + "\""), docker));
        return new Image(layout, config, parts.get(1));
    }

    private static List<Path> described(final Path layout, final String json) throws IOException
    {
        final List<Path> blobs = new ArrayList<>();
        Pattern.compile("\"digest\": \"sha256:([0-9a-f]{64})\",\\s*\"size\": (\\d+)").matcher(json).results()
            .forEach(match ->
            {
                final Path blob = layout.resolve("blobs/sha256").resolve(match.group(1));
                assertEquals(match.group(2), Long.toString(blob.toFile().length()), json);
                blobs.add(blob);
            });
        return blobs;
    }

    private static String checksum(final String script, final Path file) throws Exception
    {
        return Commands.run("sh", "-c", script, "sh", file.toString()).assertDone().replaceFirst("(?s) .*", "");
    }

    private static List<String> strings(final String json)
    {
        return Pattern.compile("\"([^\"]*)\"").matcher(json).results().map(match -> match.group(1)).toList();
    }

    private static void makeCertificate(final Path root) throws Exception
    {
        Commands.run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-days", "7", "-subj", "/CN=server", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", root.resolve("tmp/server.key").toString(), "-out", root.resolve("tmp/server.crt").toString())
            .assertDone();
        Commands.run("chmod", "644", root.resolve("tmp/server.key").toString()).assertDone();
    }
}
