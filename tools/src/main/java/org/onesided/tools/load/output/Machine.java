package org.onesided.tools.load.output;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.onesided.machine.MachineMemory;
import org.onesided.machine.SystemFiles;

/**
 * The machine of a load run.
 *
 * @param host        name of the host.
 * @param os          kernel and its version.
 * @param cpu         name of the processor; empty if unknown.
 * @param cores       available to Java.
 * @param memoryBytes of the machine in bytes; -1 if unknown.
 * @param java        version and maker of Java.
 */
public record Machine(String host, String os, String cpu, int cores, long memoryBytes, String java)
{
    private static final String UNKNOWN = "";

    /**
     * @return this machine.
     */
    public static Machine ofThisOne()
    {
        final SystemFiles files = SystemFiles.here();
        return new Machine(
            hostName(files),
            System.getProperty("os.name") + " " + System.getProperty("os.version") + " " +
                System.getProperty("os.arch"),
            files.value("/proc/cpuinfo", "model name").replaceFirst("^:\\s*", ""),
            Runtime.getRuntime().availableProcessors(),
            new MachineMemory(files).installed(),
            System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")");
    }

    private static String hostName(final SystemFiles files)
    {
        final String name = files.line("/proc/sys/kernel/hostname");
        try
        {
            return name.isEmpty() ? InetAddress.getLocalHost().getHostName() : name;
        }
        catch (final UnknownHostException e)
        {
            return UNKNOWN;
        }
    }
}
