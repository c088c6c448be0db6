package org.onesided.tools.log;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A message and the data at its end, in the form of all messages of this project: {@code listening:
 * address=127.0.0.1:19875 device=shm}. A value extends to the next key, so it may contain blanks.
 *
 * @param text   without the data.
 * @param fields the data, in order.
 */
record LogFields(String text, Map<String, String> fields)
{
    private static final Pattern FIELD = Pattern.compile("(?:^|[:,]? )([a-zA-Z][a-zA-Z0-9_.-]*)=");

    static LogFields of(final String message)
    {
        final Map<String, String> fields = new LinkedHashMap<>();
        final Matcher matcher = FIELD.matcher(message);
        int textEnd = message.length();
        String key = null;
        int valueStart = 0;
        while (matcher.find())
        {
            if (key == null)
            {
                textEnd = matcher.start();
            }
            else
            {
                fields.put(key, message.substring(valueStart, matcher.start()));
            }
            key = matcher.group(1);
            valueStart = matcher.end();
        }
        if (key != null)
        {
            fields.put(key, message.substring(valueStart));
        }
        return new LogFields(message.substring(0, textEnd), fields);
    }
}
