package org.onesided.tools.kvctl.command;

import picocli.CommandLine.Option;

/**
 * The option that every command has. Picocli allows one that asks for help.
 */
public final class HelpOption
{
    /** Asks for the help with all options. */
    public static final String ALL = "--help-all";

    @Option(
        names = {"-h", "--help", ALL},
        usageHelp = true,
        description = "Show this help and exit; --help-all: with all options, those of connections (--server, " +
            "--deadline, --token-file and more), TLS and RDMA included.")
    private boolean isAsked;
}
