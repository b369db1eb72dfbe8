//! Changes of JSON values.

use super::{Mutator, NUMBERS};
use serde_json::Value;

impl Mutator {
    /// Changes a value of a JSON file; one that cannot be read is left alone.
    pub(super) fn change_json(&mut self, file: &mut Vec<u8>) {
        let Ok(mut value) = serde_json::from_slice::<Value>(file) else {
            return;
        };
        let nodes = count(&value);
        let chosen = self.below(nodes);
        let donor = self.below(nodes);
        let donor = node(&mut value, donor).cloned().unwrap_or_default();
        if let Some(place) = node(&mut value, chosen) {
            self.change_value(place, donor);
        }
        // A checksum is only one if it comes last; it is put right later.
        let sealed = value.as_object_mut().and_then(|map| map.remove("checksum"));
        *file = value.to_string().into_bytes();
        if sealed.is_some() && file.pop().is_some() {
            file.extend_from_slice(b",\"checksum\":\"\"}");
        }
    }

    /// The same for one line of a file of JSON lines.
    pub(super) fn change_json_line(&mut self, file: &mut Vec<u8>) {
        let mut lines: Vec<Vec<u8>> = file.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
        let at = self.below(lines.len());
        self.change_json(&mut lines[at]);
        *file = lines.join(&b'\n');
    }

    fn change_value(&mut self, value: &mut Value, donor: Value) {
        match (value, self.below(4)) {
            (Value::Array(list), 0) if !list.is_empty() => {
                let at = self.below(list.len());
                list.remove(at);
            }
            (Value::Array(list), 1) if !list.is_empty() => {
                let at = self.below(list.len());
                let times = 1 << self.below(10);
                let again = list[at].clone();
                list.splice(at..at, std::iter::repeat_n(again, times));
            }
            (Value::Array(list), 2) => list.push(donor),
            (Value::Object(map), 0) if !map.is_empty() => {
                let at = self.below(map.len());
                let key = map.keys().nth(at).cloned().unwrap_or_default();
                map.remove(&key);
            }
            (Value::Object(map), 1) => {
                map.insert(self.word(), donor);
            }
            (value, 2) => *value = donor,
            (value, _) => *value = self.scalar(),
        }
    }

    fn scalar(&mut self) -> Value {
        match self.below(8) {
            0 => Value::Null,
            1 => Value::Bool(true),
            2 => Value::Array(Vec::new()),
            3 => Value::Object(serde_json::Map::new()),
            4 => Value::String(self.word()),
            _ => {
                let text = NUMBERS[self.below(NUMBERS.len())];
                serde_json::from_str(text).unwrap_or(Value::from(text))
            }
        }
    }
}

/// How many values there are in a value, itself included.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(list) => list.iter().map(count).sum(),
        Value::Object(map) => map.values().map(count).sum(),
        _ => 0,
    }
}

/// The value with this number, counted from the outside in.
fn node(value: &mut Value, number: usize) -> Option<&mut Value> {
    if number == 0 {
        return Some(value);
    }
    let mut left = number - 1;
    let parts: Box<dyn Iterator<Item = &mut Value>> = match value {
        Value::Array(list) => Box::new(list.iter_mut()),
        Value::Object(map) => Box::new(map.values_mut()),
        _ => return None,
    };
    for part in parts {
        let size = count(part);
        if left < size {
            return node(part, left);
        }
        left -= size;
    }
    None
}
