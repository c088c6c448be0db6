package org.onesided.endtoend.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a metric of a server that was started with {@code --metrics}, as Prometheus does.
 */
public final class ScrapedMetric
{
    private ScrapedMetric()
    {
    }

    /**
     * Sums a metric over its labels.
     *
     * @param address of the server's metrics.
     * @param name    of the metric.
     * @return the sum.
     */
    public static long sum(final String address, final String name)
    {
        final Matcher matcher =
            Pattern.compile("(?m)^" + Pattern.quote(name) + "\\{[^}]*} (\\d+)\\.0$").matcher(page(address));
        if (!matcher.find())
        {
            throw new IllegalStateException("metrics have none of this name: name=" + name + " address=" + address);
        }
        long sum = 0;
        do
        {
            sum += Long.parseLong(matcher.group(1));
        }
        while (matcher.find());
        return sum;
    }

    private static String page(final String address)
    {
        try
        {
            final URLConnection connection = URI.create("http://" + address + "/metrics").toURL().openConnection();
            // Or the server would keep a file handle.
            connection.setRequestProperty("Connection", "close");
            try (InputStream body = connection.getInputStream())
            {
                return new String(body.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
