package org.onesided.tools.kvctl.server;

import picocli.CommandLine.TypeConversionException;

/**
 * The form of the log.
 */
enum LogFormat
{
    /** For people. */
    TEXT,
    /** For programs. */
    JSON;

    /** Reads {@code text} and {@code json}. */
    static LogFormat parse(final String text)
    {
        return switch (text)
        {
            case "text" -> TEXT;
            case "json" -> JSON;
            default -> throw new TypeConversionException("must be text or json: '" + text + "'");
        };
    }
}
