import type { Translate } from '../l10n/translate';
import type { AutomaticStatus } from './automaticMode';

/** One line that says what automatic mode is doing; undefined where there is nothing to say. */
export function automaticWords(status: AutomaticStatus, t: Translate): string {
  if (status.action === 'preparing' || status.action === 'prepare') return t('Automatic mode: a compacted copy is being prepared');
  if (status.action === 'stopped') {
    return status.reason === 'breakerOpen'
      ? t('Automatic mode: stopped after three failures; turn it off and on to try again')
      : t('Automatic mode: stopped, since a compacted copy would be nearly as large');
  }
  switch (status.reason) {
    case 'prepared':
      return t('Automatic mode: a compacted copy is ready');
    case 'hourlyLimit':
      return t('Automatic mode: the limit an hour is reached');
    case 'unknownLimit':
      return t('Automatic mode: it is not known when the agent compacts');
    case 'cannotCompact':
      return t('Automatic mode: no copy can be written of this session');
    case 'notLive':
      return t('Automatic mode: the session rests');
    case 'nothingNew':
    case 'settling':
    case 'far':
      return t('Automatic mode: on');
  }
}
