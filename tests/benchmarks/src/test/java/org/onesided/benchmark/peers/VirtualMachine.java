package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * READs and lookups beside perftest's programs, in the virtual machine.
 */
final class VirtualMachine
{
    private VirtualMachine()
    {
    }

    /**
     * @param root   of the project.
     * @param rounds of the run.
     * @return its results.
     * @throws IOException if it fails.
     */
    static Object run(final Path root, final int rounds) throws IOException
    {
        final Process process = new ProcessBuilder(
            List.of(root.resolve("tests/vm/benchmark").toString(), Integer.toString(rounds))).inheritIO().start();
        try
        {
            if (process.waitFor() != 0)
            {
                throw new IOException("tests/vm/benchmark failed: exit=" + process.exitValue());
            }
        }
        catch (final InterruptedException e)
        {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted in tests/vm/benchmark", e);
        }
        return Json.read(Files.readString(root.resolve("tests/target/vm-benchmark/rdma.json")));
    }
}
