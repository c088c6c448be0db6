package org.onesided.tools.kvctl.server;

import picocli.CommandLine.TypeConversionException;

/**
 * An address for a server to listen on.
 *
 * @param host name or address, without brackets.
 * @param port 0 to 65535; 0 for any free one.
 */
record ListenAddress(String host, int port)
{
    private static final int MAX_PORT = 65_535;

    /** Reads {@code HOST:PORT}, with an IPv6 address in brackets. */
    static ListenAddress parse(final String text)
    {
        final int colon = text.lastIndexOf(':');
        final String host = colon < 0 ? "" : text.substring(0, colon);
        final boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        final String bare = isBracketed ? host.substring(1, host.length() - 1) : host;
        if (bare.isEmpty() || !isBracketed && host.indexOf(':') >= 0)
        {
            throw notAnAddress(text);
        }
        return new ListenAddress(bare, port(text.substring(colon + 1), text));
    }

    /** The same, with this machine as the default host. */
    static ListenAddress parseLocal(final String text)
    {
        return parse(text.matches("[0-9]+") ? "127.0.0.1:" + text : text);
    }

    private static int port(final String digits, final String text)
    {
        if (!digits.matches("[0-9]{1,5}") || Integer.parseInt(digits) > MAX_PORT)
        {
            throw notAnAddress(text);
        }
        return Integer.parseInt(digits);
    }

    private static TypeConversionException notAnAddress(final String text)
    {
        return new TypeConversionException(
            "not an address: '" + text + "'; write one like 127.0.0.1:19875 or [::1]:19875, port 0 for any free one");
    }

    @Override
    public String toString()
    {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
